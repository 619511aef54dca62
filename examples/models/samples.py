"""Sample files of many types, created in memory: programs, texts, pictures, archives and others."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import marshal
import pickle
import plistlib
import sqlite3
import sys
import tarfile
import wave
import zipfile
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

TEXTS = {
    "wind.c": r"""
#include <math.h>
#include <stdio.h>

struct wind { double speed, angle; };

static double chill(double celsius, const struct wind *w) {
    double v = pow(w->speed, 0.16);
    return 13.12 + 0.6215 * celsius - 11.37 * v + 0.3965 * celsius * v;
}

int main(int argc, char **argv) {
    struct wind w = {.speed = 30, .angle = 1.5};
    for (int t = -10; t <= 10; t += 5)
        printf("%d %.1f\n", t, chill(t, &w));
    return 0;
}
""",
    "queue.cpp": r"""
#include <algorithm>
#include <iostream>
#include <vector>

namespace store {
template <typename T> class Queue {
public:
  void push(T value) { items.push_back(std::move(value)); }
  [[nodiscard]] bool empty() const noexcept { return items.empty(); }
  const T &front() const { return items.front(); }

private:
  std::vector<T> items;
};
} // namespace store

int main() {
  store::Queue<std::string> queue;
  queue.push("first");
  std::cout << queue.front() << std::endl;
}
""",
    "count.rs": r"""
use std::collections::HashMap;

fn count(text: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for word in text.split_whitespace() {
        *found.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    found
}

fn main() {
    let counts = count("the rain in the town");
    let mut words: Vec<_> = counts.iter().collect();
    words.sort_by(|a, b| b.1.cmp(a.1));
    println!("{:?}", words);
}
""",
    "Shop.java": r"""
package org.example.shop;

import java.util.ArrayList;
import java.util.List;

public class Shop {
    private final List<String> orders = new ArrayList<>();

    public void order(String item) {
        if (item == null || item.isEmpty()) {
            throw new IllegalArgumentException("an order needs an item");
        }
        orders.add(item);
    }

    public static void main(String[] args) {
        Shop shop = new Shop();
        shop.order("tea");
        System.out.println(shop.orders.size());
    }
}
""",
    "server.go": r"""
package main

import (
	"fmt"
	"log"
	"net/http"
)

func hello(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	if name == "" {
		name = "nobody"
	}
	fmt.Fprintf(w, "hello, %s\n", name)
}

func main() {
	http.HandleFunc("/hello", hello)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
""",
    "cart.js": r"""
'use strict';

const prices = new Map([['tea', 3.5], ['bread', 2.2]]);

async function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += prices.get(item) ?? 0;
  }
  return sum;
}

document.querySelector('#buy').addEventListener('click', async () => {
  console.log(await total(['tea', 'bread']));
});

module.exports = { total };
""",
    "backup.sh": r"""
#!/bin/bash
set -euo pipefail

target="${1:-/mnt/backup}"
for folder in "$HOME"/documents "$HOME"/pictures; do
    if [ -d "$folder" ]; then
        rsync -a --delete "$folder" "$target"
    fi
done
echo "done at $(date)" >>"$target/log"
""",
    "page.html": r"""
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Trains to the coast</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <h1>Departures</h1>
  <table>
    <tr><th>Time</th><th>Platform</th></tr>
    <tr><td>8:14</td><td>9</td></tr>
  </table>
</body>
</html>
""",
    "style.css": r"""
body { margin: 0 auto; max-width: 60rem; font: 16px/1.5 sans-serif; }
h1 { color: #234; border-bottom: 1px solid currentColor; }
table { border-collapse: collapse; }
td, th { padding: 0.25rem 1rem; text-align: left; }
@media (max-width: 40rem) { td { display: block; } }
a:hover::after { content: " \2192"; }
""",
    "notes.md": r"""
# Field notes

Some remarks on **rain**, *wind* and [maps](https://example.org/maps).

- Monday: fog until noon
- Tuesday: hail, see `hail.csv`

| day | mm |
| --- | --- |
| 1 | 12 |

```python
print(sum([12, 3, 4]))
```
""",
    "orders.sql": r"""
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer VARCHAR(80) NOT NULL,
    price DECIMAL(8, 2) DEFAULT 0
);
INSERT INTO orders (customer, price) VALUES ('Ada', 3.50), ('Grace', 2.20);
SELECT customer, SUM(price) AS total FROM orders
GROUP BY customer HAVING SUM(price) > 2 ORDER BY total DESC;
""",
    "rain.csv": "day,station,mm,wind\n"
    + "".join(f"2026-11-{d:02},harbour,{d * 7 % 13}.5,{d * 3 % 8}\n" for d in range(1, 31)),
    "deploy.yaml": r"""
name: nightly
on:
  schedule:
    - cron: "0 3 * * *"
jobs:
  build:
    runs-on: linux
    steps:
      - name: fetch
        run: git clone --depth 1 "$REPOSITORY"
      - name: test
        run: make test
        env:
          LEVEL: 2
""",
    "paper.tex": r"""
\documentclass{article}
\usepackage{amsmath}
\title{On the rounding of sums}
\begin{document}
\maketitle
\section{Bounds}
Let $x_i$ be numbers of $p$ bits. Then
\begin{equation}
  \Bigl|\sum_i x_i - \hat s\Bigr| \le 2^{-p} \sqrt{n} \sum_i |x_i| .
\end{equation}
\end{document}
""",
    "Dockerfile": r"""
FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
EXPOSE 8080
CMD ["python", "-m", "server"]
""",
}


def picture() -> Image.Image:
    """Draws a few shapes."""
    image = Image.new("RGB", (160, 120), "lightblue")
    draw = ImageDraw.Draw(image)
    draw.ellipse((100, 10, 140, 50), fill="gold")
    draw.polygon([(0, 120), (60, 40), (110, 120)], fill="slategray")
    return image


def pictures() -> dict[str, bytes]:
    found = {}
    for kind in ("png", "jpeg", "gif", "bmp", "webp", "tiff", "pdf"):
        file = io.BytesIO()
        picture().save(file, kind)
        found[f"hill.{kind}"] = file.getvalue()
    return found


def archives(texts: dict[str, bytes]) -> dict[str, bytes]:
    """Returns archives of the texts in several formats."""
    zipped, wheel, tar = io.BytesIO(), io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in texts.items():
            file.writestr(name, content)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("shop/__init__.py", '"""A shop."""\n__version__ = "1.0"\n')
        file.writestr("shop-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: shop\n")
        file.writestr("shop-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr("shop-1.0.dist-info/RECORD", "shop/__init__.py,,\n")
    with tarfile.open(fileobj=tar, mode="w") as archive:
        for name, content in texts.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return {
        "texts.zip": zipped.getvalue(),
        "shop-1.0-py3-none-any.whl": wheel.getvalue(),
        "texts.tar": tar.getvalue(),
        "texts.tar.gz": gzip.compress(tar.getvalue(), mtime=0),
        "texts.tar.bz2": bz2.compress(tar.getvalue()),
        "texts.tar.xz": lzma.compress(tar.getvalue()),
    }


def data() -> dict[str, bytes]:
    """Returns data files and executables."""
    numbers = np.arange(600, dtype=np.float32).reshape(20, 30)
    array, sound = io.BytesIO(), io.BytesIO()
    np.save(array, numbers)
    with wave.open(sound, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes((3000 * np.sin(np.arange(8000) / 3)).astype("<i2").tobytes())
    base = sqlite3.connect(":memory:")
    base.executescript(TEXTS["orders.sql"])
    orders = [
        {"customer": "Ada", "items": {"tea": 2, "bread": 1}, "price": 9.2, "paid": True},
        {"customer": "Grace", "items": {"honey": 1}, "price": 6.75, "paid": False},
        {"customer": "Emmy", "items": {"tea": 1, "jam": 3}, "price": 14.0, "note": "by post"},
    ]
    source = Path(__file__).read_bytes()
    found = {
        "samples.py": source,
        "orders.json": json.dumps({"day": "2026-11-26", "orders": orders}, indent=2).encode(),
        "orders.pickle": pickle.dumps(orders),
        "orders.plist": plistlib.dumps({"orders": orders}),
        "numbers.npy": array.getvalue(),
        "tone.wav": sound.getvalue(),
        # The header of a module without a date.
        "samples.pyc": MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(source, "a", "exec")),
    }
    if hasattr(base, "serialize"):
        found["orders.sqlite"] = base.serialize()
    program = Path(sys.executable).resolve().read_bytes()
    if program.startswith(b"\x7fELF"):
        found["python"] = program
    return found


def files() -> dict[str, bytes]:
    """Returns all files by name."""
    texts = {name: text.lstrip("\n").encode() for name, text in TEXTS.items()}
    return texts | data() | pictures() | archives(texts)
