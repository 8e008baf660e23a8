/* The formats of meshes; each fills a draft. */
#ifndef LMB_IMPORT_MESH_FORMATS_H
#define LMB_IMPORT_MESH_FORMATS_H

#include "import/mesh_draft.h"

lmb_status lmb_read_gmsh(lmb_mesh_draft *draft, lmb_scan *scan);
lmb_status lmb_read_inp(lmb_mesh_draft *draft, lmb_scan *scan);
lmb_status lmb_read_cdb(lmb_mesh_draft *draft, lmb_scan *scan);
lmb_status lmb_read_nwrite(lmb_mesh_draft *draft, lmb_scan *scan);
lmb_status lmb_read_node_table(lmb_mesh_draft *draft, lmb_scan *scan);

#endif
