"""Small projects in scripting languages, and what the graph must know of each."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

from tests.modules.graph.project import Project

RUBY = Project(
    language="ruby",
    files={
        "bin/run.rb": """
            require 'csv'
            require_relative '../lib/report'
            OUT = "results"
            def main
              report = Report.new(File.join(OUT, "report.txt"))
              report.save
              CSV.open("#{OUT}/rows.csv", "wb") { |csv| csv << [1] }
              File.read("data/in.txt")
            end
            main if __FILE__ == $0
        """,
        "lib/report.rb": """
            require 'fileutils'
            class Base; end
            class Report < Base
              def initialize(path)
                @path = path
              end

              def save
                FileUtils.mkdir_p('results')
                File.write(@path, render)
              end

              def render
                lines = %w[a b]
                lines.join("\\n")
              end

              def unused
                File.open('results/unused.txt', 'w') { |f| f.puts render }
              end

              def later
                raise NotImplementedError
              end
            end
        """,
        "spec/report_spec.rb": "require_relative '../lib/report'\nRSpec.describe Report do\n  it('renders') { expect(Report.new('x').render).to eq('a') }\nend\n",
        "lib/broken.rb": "def fine(a)\n  b = a + 1\n  b * 2\nend\n\ndef bad(\n  x = [\n",
        "data/in.txt": "x",
    },
    entries={"bin/run.rb": "module-level work", "spec/report_spec.rb": "test"},
    definitions={"main", "Report", "Report.initialize", "Report.save", "Report.render", "Base"},
    stubs={"Report.later"},
    calls={("main", "Report"), ("main", "Report.save")},
    imports={("bin/run.rb", "lib/report.rb"), ("spec/report_spec.rb", "lib/report.rb")},
    packages={"csv", "fileutils"},
    inherits={("Report", "Base")},
    writes={"results/report.txt": True, "results/rows.csv": True, "results/unused.txt": False},
    reads={"data/in.txt": True},
    dead={"Report.unused", "Report.later"},
    broken={"lib/broken.rb": "fine"},
)

PHP = Project(
    language="php",
    files={
        "composer.json": '{"autoload": {"psr-4": {"App\\\\": "src/"}}}',
        "index.php": """
            <?php
            require_once __DIR__ . '/lib/util.php';
            use App\\Report\\Writer;
            const OUT = 'results';
            $writer = new Writer(OUT . '/report.txt');
            $writer->save(clean("x"));
            $in = file_get_contents('data/in.txt');
        """,
        "lib/util.php": """
            <?php
            function clean(string $text): string { $text = trim($text); return strtolower($text); }
            function unused() { file_put_contents('results/unused.txt', clean('x')); }
        """,
        "src/Report/Writer.php": """
            <?php
            namespace App\\Report;
            interface Saver { public function save(string $text); }
            class Writer implements Saver {
                private string $path;
                public function __construct(string $path) { $this->path = $path; }
                public function save(string $text) {
                    $handle = fopen($this->path, 'w');
                    fwrite($handle, $text);
                    $name = "rows";
                    file_put_contents("results/{$name}.csv", self::format($text));
                }
                private static function format($text) { $rows = explode(',', $text); return implode("\\n", $rows); }
                public function later() { throw new \\Exception('not implemented'); }
            }
        """,
        "src/broken.php": "<?php\nfunction fine($a) { $b = $a + 1; return $b * 2; }\n\nfunction bad( {\n",
        "data/in.txt": "x",
    },
    entries={"index.php": "module-level work"},
    definitions={"clean", "Writer", "Writer.save", "Writer.format", "Saver"},
    stubs={"Writer.later"},
    calls={("", "Writer"), ("", "Writer.save"), ("", "clean"), ("Writer.save", "Writer.format")},
    imports={("index.php", "lib/util.php"), ("index.php", "src/Report/Writer.php")},
    inherits={("Writer", "Saver")},
    writes={"results/report.txt": True, "results/rows.csv": True, "results/unused.txt": False},
    reads={"data/in.txt": True},
    dead={"unused", "Writer.later"},
    broken={"src/broken.php": "fine"},
)

JULIA = Project(
    language="julia",
    files={
        "run.jl": """
            include("src/Model.jl")
            using .Model
            using CSV, DataFrames
            import Plots: savefig

            const OUT = "results"

            function main()
                table = CSV.read("data/in.csv", DataFrame)
                fitted = Model.fit(table)
                CSV.write(joinpath(OUT, "fit.csv"), fitted)
                open("$(OUT)/log.txt", "w") do io
                    println(io, "done")
                end
                savefig(fitted, joinpath(@__DIR__, "results", "fit.png"))
            end

            main()
        """,
        "src/Model.jl": """
            module Model
            abstract type Shape end
            struct Line <: Shape
                slope::Float64
            end
            function fit(table)
                total = sum(table.x)
                return Line(scale(total))
            end
            scale(x::Float64) = x / 2
            function unused(x)
                write("results/unused.txt", string(x))
                return scale(x)
            end
            later() = error("not implemented")
            end
        """,
        "test/runtests.jl": 'include("../src/Model.jl")\nusing Test\n@test Model.scale(2.0) == 1.0\n',
        "src/broken.jl": "function fine(a)\n    b = a + 1\n    return b * 2\nend\n\nfunction bad(\n",
        "data/in.csv": "x",
    },
    entries={"run.jl": "module-level work", "test/runtests.jl": "test"},
    definitions={"main", "fit", "scale", "Line", "Shape", "later"},
    stubs={"later"},
    calls={("", "main"), ("main", "fit"), ("fit", "scale")},
    imports={("run.jl", "src/Model.jl"), ("test/runtests.jl", "src/Model.jl")},
    packages={"CSV", "DataFrames", "Plots"},
    inherits={("Line", "Shape")},
    writes={"results/fit.csv": True, "results/log.txt": True, "results/fit.png": True, "results/unused.txt": False},
    reads={"data/in.csv": True},
    dead={"unused", "later"},
    broken={"src/broken.jl": "fine"},
)

R = Project(
    language="r",
    files={
        "analysis.R": """
            library(ggplot2)
            source("R/helpers.R")
            out_dir <- "results"
            df <- read.csv(file.path("data", "in.csv"))
            fit <- fit_model(df)
            p <- ggplot(df, aes(x, y)) + geom_point()
            ggsave(file.path(out_dir, "plot.png"), plot = p)
            df |> write.csv(paste0(out_dir, "/table.csv"), row.names = FALSE)
            save_fit(fit)
        """,
        "R/helpers.R": """
            fit_model <- function(df, formula = y ~ x) {
              model <- lm(formula, data = df)
              summary(model)
            }
            save_fit <- function(fit, path = "results/fit.rds") {
              saveRDS(fit, file = path)
            }
            unused = function(x) {
              write.csv(x, "results/unused.csv")
            }
            later <- function() stop("not implemented")
        """,
        "report.Rmd": '---\ntitle: x\n---\n\nText with f(x) in it.\n\n```{r plot}\nknitr::include_graphics("results/plot.png")\nsource("R/helpers.R")\n```\n',
        "R/broken.R": "fine <- function(a) {\n  b <- a + 1\n  b * 2\n}\n\nbad <- function( {\n",
        "data/in.csv": "x,y",
        "results/plot.png": b"\x89PNG",
    },
    entries={"analysis.R": "module-level work", "report.Rmd": "module-level work"},
    definitions={"fit_model", "save_fit", "unused", "later"},
    stubs={"later"},
    calls={("", "fit_model"), ("", "save_fit")},
    imports={("analysis.R", "R/helpers.R"), ("report.Rmd", "R/helpers.R")},
    packages={"ggplot2"},
    writes={
        "results/plot.png": True,
        "results/table.csv": True,
        "results/fit.rds": True,
        "results/unused.csv": False,
    },
    reads={"data/in.csv": True, "results/plot.png": True},
    dead={"unused", "later"},
    broken={"R/broken.R": "fine"},
)

BASH = Project(
    language="bash",
    files={
        "run.sh": """
            #!/usr/bin/env bash
            set -e
            source "$(dirname "$0")/lib/util.sh"
            OUT="${1:-results}"
            mkdir -p "$OUT"
            log "start" > "$OUT/log.txt"
            python3 train.py --epochs 3 | tee -a results/train.log
            cat data/in.txt >> results/copy.txt 2>&1
            ./lib/clean.sh
        """,
        "lib/util.sh": """
            log() {
              local text="$1"
              echo "$(date) $text" >> logs/all.log
            }
            function unused {
              echo hi > results/unused.txt
            }
        """,
        "lib/clean.sh": "rm -f tmp\ncp results/log.txt archive/log.txt\n",
        "train.py": "print('x')\n",
        "broken.sh": "fine() {\n  echo a > results/fine.txt\n}\nif [ x ; then\n",
        "data/in.txt": "x",
    },
    entries={
        "run.sh": "module-level work",
        "lib/clean.sh": "run by another file",
    },
    definitions={"log", "unused", "fine"},
    calls={("", "log")},
    imports={("run.sh", "lib/util.sh")},
    writes={
        "results/log.txt": True,
        "results/train.log": True,
        "results/copy.txt": True,
        "logs/all.log": True,
        "archive/log.txt": True,
        "results/unused.txt": False,
    },
    reads={"data/in.txt": True},
    dead={"unused"},
    broken={"broken.sh": "fine"},
)

PROJECTS = (RUBY, PHP, JULIA, R, BASH)
