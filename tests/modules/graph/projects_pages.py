"""Small projects in JavaScript, pages and SQL, and what the graph must know of each."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

from tests.modules.graph.project import Project

JAVASCRIPT = Project(
    language="javascript",
    files={
        "package.json": '{"main": "src/index.js", "scripts": {"seed": "node tools/seed.mjs"}}',
        "src/index.js": """
            const path = require('path');
            const fs = require('fs');
            const { save, Store } = require('./store');
            const OUT = path.join(__dirname, '..', 'results');
            async function main() {
              const store = new Store();
              store.add(1);
              await save(path.join(OUT, 'report.json'), store);
              fs.readFileSync('data/in.json');
            }
            main();
        """,
        "src/store.js": """
            const fs = require('fs/promises');
            class Store extends Map { add(x) { this.set(x, x); return this.size; } idle() { return fs.writeFile('results/idle.txt', 'x'); } }
            async function save(file, store) { await fs.writeFile(file, JSON.stringify([...store])); }
            function later() { throw new Error('not implemented'); }
            module.exports = { save, Store, later };
        """,
        "tools/seed.mjs": "import { writeFileSync } from 'node:fs';\nwriteFileSync(`data/${process.argv[2]}.json`, '[]');\n",
        "src/store.test.js": "const { save } = require('./store');\ntest('save', async () => { await save('x', new Map()); });\n",
        "src/broken.js": "function fine(a) { const b = a + 1; return b * 2; }\n\nfunction bad( {\n",
        "data/in.json": "[]",
    },
    entries={
        "src/index.js": "run by another file",
        "tools/seed.mjs": "run by another file",
        "src/store.test.js": "test",
    },
    definitions={"main", "Store", "Store.add", "save", "later", "fine"},
    stubs={"later"},
    calls={("", "main"), ("main", "Store"), ("main", "Store.add"), ("main", "save")},
    imports={("src/index.js", "src/store.js"), ("src/store.test.js", "src/store.js")},
    packages={"fs", "path"},
    writes={"results/report.json": True, "results/idle.txt": False, "data/seed-7.json": True},
    reads={"data/in.json": True},
    dead={"Store.idle", "fine"},
    broken={"src/broken.js": "fine"},
)

TYPESCRIPT = Project(
    language="tsx",
    files={
        "src/index.tsx": """
            import { Panel } from './Panel';
            import * as fs from 'fs';
            interface Row { id: number }
            export const App = () => { const rows: Row[] = []; return <main><Panel rows={rows} /><img src="./logo.png" /></main>; };
            fs.writeFileSync('out/page.html', render(App()));
            function render(node: unknown): string { const text = String(node); return text.trim(); }
        """,
        "src/Panel.tsx": "export class Panel extends React.Component<Props> { render() { return <table>{this.props.rows.map(row => <tr key={row.id} />)}</table>; } unused(): number { return this.props.rows.length * 2; } }\n",
        "src/Broken.tsx": "export function fine(a: number) { const b = a + 1; return b * 2; }\n\nexport function bad( {\n",
        "src/logo.png": b"\x89PNG",
    },
    entries={"src/index.tsx": "module-level work"},
    definitions={"App", "Row", "render", "Panel", "Panel.render", "fine"},
    calls={("", "App"), ("", "render")},
    imports={("src/index.tsx", "src/Panel.tsx")},
    packages={"fs"},
    writes={"out/page.html": True},
    dead={"Panel.unused", "fine"},
    displays={"src/logo.png"},
    broken={"src/Broken.tsx": "fine"},
)

SQL = Project(
    language="sql",
    files={
        "schema.sql": """
            CREATE TABLE IF NOT EXISTS users (id INT PRIMARY KEY, name TEXT);
            CREATE TABLE orders (id INT, uid INT REFERENCES users(id));
            CREATE VIEW totals AS SELECT u.name, count(*) AS n FROM users u JOIN orders o ON u.id = o.uid GROUP BY u.name;
            CREATE FUNCTION double_it(a INT) RETURNS INT AS $$ SELECT a * 2 $$ LANGUAGE sql;
        """,
        "load.sql": """
            .read schema.sql
            \\i schema.sql
            COPY users FROM 'data/users.csv' WITH (FORMAT csv);
            SELECT double_it(2) FROM totals;
            .output results/totals.txt
            COPY (SELECT * FROM totals) TO 'results/totals.csv' WITH CSV;
        """,
        "broken.sql": "CREATE TABLE fine (id INT);\nSELEC * FRM;\nCREATE TABLE (;\n",
        "data/users.csv": "1,a",
    },
    entries={},
    definitions={"users", "orders", "totals", "double_it", "fine"},
    calls={("", "double_it"), ("", "totals")},
    imports={("load.sql", "schema.sql")},
    writes={"results/totals.txt": True, "results/totals.csv": True},
    reads={"data/users.csv": True},
    broken={"broken.sql": "fine"},
)

HTML = Project(
    language="html",
    files={
        "index.html": """
            <!DOCTYPE html>
            <html><head><link rel="stylesheet" href="css/site.css"><script src="js/app.js?v=2" defer></script></head>
            <body><div id="root" onclick="draw()"><img src="images/plot.png" alt="plot"></div><a href="about.html">about</a>
            <script>
              function inline() { fetch('data/rows.json').then(show); }
              inline();
            </script></body></html>
        """,
        "about.html": "<html><body><p id='text'>x</p></body></html>\n",
        "css/site.css": "@import 'base.css';\n.card, #root { background: url('../images/back.png'); }\n",
        "css/base.css": "body { margin: 0 }\n",
        "js/app.js": "function draw() { const c = document.body; c.append('x'); return c; }\nfunction show(rows) { console.table(rows.map(String)); }\nfunction unused() { const c = document.head; return c.remove(); }\n",
        "broken.html": "<html><body><div id='here'><p>not closed<script>function fine() { const a = g(); return a; }\n function bad( {</script>",
        "images/plot.png": b"\x89PNG",
        "images/back.png": b"\x89PNG",
        "data/rows.json": "[]",
    },
    entries={
        "index.html": "web page",
        "js/app.js": "run by another file",
    },
    definitions={"root", "inline", "draw", "text", "card", "here"},
    calls={("", "inline")},
    imports={("index.html", "js/app.js"), ("index.html", "css/site.css"), ("css/site.css", "css/base.css")},
    reads={"data/rows.json": True},
    dead={"unused"},
    displays={"images/plot.png", "images/back.png"},
    broken={"broken.html": "fine"},
)

PROJECTS = (JAVASCRIPT, TYPESCRIPT, SQL, HTML)
