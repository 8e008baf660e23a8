// Bundles everything into one HTML page: script and style stand in it, and a policy forbids the
// page to fetch anything or to run any other script.
import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

function onePage(): Plugin {
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("no page was built");
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") script += file.code;
        else if (name.endsWith(".css")) style += file.source;
        if (file !== page) delete bundle[name];
      }
      script = script.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--").trim();
      const hash = createHash("sha256").update(script).digest("base64");
      const policy = [
        "default-src 'none'",
        `script-src 'sha256-${hash}'`,
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "media-src blob:",
      ].join("; ");
      const html = String(page.source)
        .replace(/<script[^>]*type="module"[^>]*><\/script>\s*/g, "")
        .replace(/<link[^>]*rel="(stylesheet|modulepreload)"[^>]*>\s*/g, "")
        .replace(
          '<meta charset="utf-8" />',
          () => `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        )
        .replace("</head>", () => `<style>${style}</style>\n  </head>`)
        .replace("</body>", () => `<script type="module">${script}</script>\n  </body>`);
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [onePage()],
  build: { target: "es2022", assetsInlineLimit: 1e8, modulePreload: false, chunkSizeWarningLimit: 4000 },
});
