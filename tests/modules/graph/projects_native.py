"""Small projects in Go, Rust, C and C++, and what the graph must know of each."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

from tests.modules.graph.project import Project

GO = Project(
    language="go",
    files={
        "go.mod": "module example.com/acme\n\ngo 1.22\n",
        "cmd/run/main.go": """
            package main

            import (
                "fmt"
                "os"
                "path/filepath"

                "example.com/acme/internal/stats"
                "github.com/spf13/cobra"
            )

            const outDir = "results"

            func main() {
                mean := stats.Mean([]float64{1, 2})
                out := filepath.Join(outDir, "x.txt")
                if err := os.WriteFile(out, []byte(fmt.Sprint(mean)), 0o644); err != nil { panic(err) }
                save("metrics")
                _ = cobra.Command{}
            }
        """,
        "cmd/run/save.go": """
            package main

            import ("encoding/csv"; "os")

            type Writer struct { name string }
            func (w *Writer) Close() error { f, err := os.Open(w.name); if err != nil { return err }; return f.Close() }

            func save(name string) {
                f, _ := os.Create(outDir + "/" + name + ".csv")
                csv.NewWriter(f)
                w := &Writer{name: name}
                w.Close()
            }

            func forgotten() { os.WriteFile("results/forgotten.txt", nil, 0o600) }
        """,
        "internal/stats/stats.go": """
            package stats

            import "os"

            // Mean of values.
            func Mean(values []float64) float64 {
                total := 0.0
                for _, v := range values { total += v }
                return total / float64(len(values))
            }

            func Load() ([]byte, error) { return os.ReadFile("data/in.csv") }
            func Todo() { panic("not implemented") }
        """,
        "internal/stats/stats_test.go": 'package stats\n\nimport "testing"\n\nfunc TestMean(t *testing.T) { if Mean([]float64{1}) != 1 { t.Fatal("x") } }\n',
        "internal/stats/broken.go": "package stats\n\nfunc Fine(a int) int { b := a * 2; return b }\n\nfunc Bad( {\n",
        "results/x.txt": "1.5",
        "data/in.csv": "1",
    },
    entries={"cmd/run/main.go": "main function", "internal/stats/stats_test.go": "test"},
    definitions={"main", "save", "Writer", "Writer.Close", "Mean", "TestMean"},
    stubs={"Todo"},
    calls={("main", "Mean"), ("main", "save"), ("save", "Writer.Close"), ("TestMean", "Mean")},
    imports={("cmd/run/main.go", "internal/stats/stats.go"), ("cmd/run/main.go", "cmd/run/save.go")},
    packages={"github.com/spf13/cobra", "os", "encoding"},
    writes={"results/x.txt": True, "results/metrics.csv": True, "results/forgotten.txt": False},
    reads={"data/in.csv": False},
    dead={"forgotten", "Load"},
    tests={("TestMean", "Mean")},
    broken={"internal/stats/broken.go": "Fine"},
)

RUST = Project(
    language="rust",
    files={
        "Cargo.toml": '[package]\nname = "acme-app"\nversion = "0.1.0"\n',
        "src/main.rs": """
            mod report;
            use report::{Report, render as show};
            use std::fs;

            const OUT: &str = "results";

            fn main() -> std::io::Result<()> {
                let report = Report::new(&format!("{}/summary.txt", OUT));
                report.save()?;
                println!("{}", show(&report));
                let seed = fs::read_to_string("data/seed.txt")?;
                Ok(())
            }

            #[cfg(test)]
            mod tests {
                use super::*;
                #[test]
                fn renders() { assert_eq!(show(&Report::new("x")), "x"); }
            }
        """,
        "src/report/mod.rs": """
            use std::fs::File;
            use std::path::{Path, PathBuf};
            use crate::report::format::line;
            pub mod format;

            pub trait Save { fn save(&self) -> std::io::Result<()>; }

            #[derive(Debug, Clone)]
            pub struct Report { path: PathBuf }

            impl Report {
                pub fn new(path: &str) -> Self { Report { path: PathBuf::from(path) } }
                pub fn spare(&self) -> usize { let f = File::create("results/spare.txt"); line("x").len() + 1 }
            }

            impl Save for Report {
                fn save(&self) -> std::io::Result<()> {
                    let mut f = File::create(Path::new("results").join("table.csv"))?;
                    std::fs::write("results/raw.txt", line("a"))?;
                    Ok(())
                }
            }

            pub fn render(report: &Report) -> String { line(&format!("{:?}", report.path)) }
        """,
        "src/report/format.rs": "pub fn line(text: &str) -> String { let mut out = String::from(text); out.push('.'); out }\npub fn later() -> u8 { todo!() }\n",
        "src/broken.rs": "pub fn fine(a: i32) -> i32 { let b = a + 1; b * 2 }\n\npub fn bad( -> {\n",
        "data/seed.txt": "x",
    },
    entries={"src/main.rs": "main function"},
    definitions={"main", "Report", "Report.new", "Report.save", "Save", "render", "line", "renders"},
    stubs={"later"},
    calls={("main", "Report.new"), ("main", "Report.save"), ("main", "render"), ("render", "line")},
    imports={("src/main.rs", "src/report/mod.rs"), ("src/report/mod.rs", "src/report/format.rs")},
    packages={"std"},
    inherits={("Report", "Save")},
    writes={"results/table.csv": True, "results/raw.txt": True, "results/spare.txt": False},
    reads={"data/seed.txt": True},
    dead={"Report.spare", "later"},
    broken={"src/broken.rs": "fine"},
)

C = Project(
    language="c",
    files={
        "src/main.c": """
            #include <stdio.h>
            #include "stats.h"
            #define OUT_DIR "results"
            #define OUT OUT_DIR "/out.txt"

            int main(int argc, char **argv) {
                double values[] = {1, 2};
                FILE *f = fopen(OUT, "w");
                fprintf(f, "%f", mean(values, 2));
                fclose(f);
                FILE *in = fopen("data/in.txt", "r");
                dump(argc > 1 ? argv[1] : "results/default.bin");
                return 0;
            }
        """,
        "src/stats.c": """
            #include "stats.h"
            #include <stdio.h>

            struct point { int x; };

            double mean(const double *values, int n) {
                double total = 0;
                for (int i = 0; i < n; i++) { total += values[i]; }
                return total / n;
            }

            void dump(const char *path) { FILE *f = fopen(path, "wb"); fwrite(path, 1, 1, f); }
            static void never(void) { FILE *f = fopen("results/never.txt", "a"); fputs("x", f); }
        """,
        "src/stats.h": "double mean(const double *values, int n);\nvoid dump(const char *path);\n",
        "src/broken.c": "int fine(int a) { int b = a + 1; return b; }\n\nint bad( {\n",
        "results/out.txt": "1",
        "data/in.txt": "1",
    },
    entries={"src/main.c": "main function"},
    definitions={"main", "mean", "dump", "point", "never"},
    calls={("main", "mean"), ("main", "dump")},
    imports={("src/main.c", "src/stats.h"), ("src/main.c", "src/stats.c")},
    packages={"stdio"},
    writes={"results/out.txt": True, "results/default.bin": True, "results/never.txt": False},
    reads={"data/in.txt": True},
    dead={"never"},
    broken={"src/broken.c": "fine"},
)

CPP = Project(
    language="cpp",
    files={
        "main.cpp": """
            #include "include/report.hpp"
            #include <opencv2/opencv.hpp>
            #include <fstream>

            int main() {
                acme::Report report("results/report.txt");
                report.save();
                std::ofstream log{"results/log.txt"};
                log << "done";
                std::ifstream in;
                in.open("data/in.txt");
                cv::Mat image = cv::imread("data/cat.png");
                cv::imwrite(std::string("results") + "/cat.png", image);
            }
        """,
        "include/report.hpp": """
            #pragma once
            #include <string>
            namespace acme {
            class Base { public: virtual ~Base() = default; };
            class Report : public Base {
              public:
                explicit Report(std::string path) : path_(path) {}
                void save();
                void idle() { std::ofstream f("results/idle.txt"); f << path_; }
              private:
                std::string path_;
            };
            }
        """,
        "src/report.cpp": """
            #include "../include/report.hpp"
            #include <fstream>
            #include <filesystem>
            namespace acme {
            static int lines(int n) { int total = n * 2; return total + 1; }
            void Report::save() {
                std::ofstream out(std::filesystem::path("results") / "table.csv");
                out << lines(3);
            }
            }
        """,
        "broken.cpp": "int fine(int a) { int b = a + 1; return b; }\n\nclass Bad { void x( };\n int bad( {\n",
        "data/in.txt": "1",
    },
    entries={"main.cpp": "main function"},
    definitions={"main", "Base", "Report", "Report.save", "Report.idle", "lines"},
    calls={("main", "Report"), ("main", "Report.save"), ("Report.save", "lines")},
    imports={("main.cpp", "include/report.hpp"), ("src/report.cpp", "include/report.hpp")},
    packages={"opencv2", "fstream"},
    inherits={("Report", "Base")},
    writes={"results/log.txt": True, "results/table.csv": True, "results/cat.png": True, "results/idle.txt": False},
    reads={"data/in.txt": True, "data/cat.png": True},
    dead={"Report.idle"},
    broken={"broken.cpp": "fine"},
)

PROJECTS = (GO, RUST, C, CPP)
