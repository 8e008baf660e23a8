SystemCall "touch limber-ran-a-script";
