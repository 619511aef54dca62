// Speaks the byte protocol of Perfetto's trace processor on stdin and stdout. The processor is the
// WebAssembly of the viewer in the folder that is given, whose worker runs here without a browser.
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const folder = process.argv[2];
const read = (url) => fs.readFileSync(path.join(folder, path.basename(String(url))));

const port = {
  postMessage(data) {
    for (let at = 0; at < data.length;) at += fs.writeSync(1, data, at);
  },
};
const worker = {
  location: { href: 'http://localhost/engine_bundle.js', protocol: 'http:', host: 'localhost' },
  console: { ...console, log: console.error, warn: console.error },
  WorkerGlobalScope() {},
  importScripts() {},
  TextDecoder, TextEncoder, URL, performance, setTimeout, clearTimeout, queueMicrotask, crypto,
};
worker.self = worker;
const context = vm.createContext(worker);
// Arrays have to be of the worker's own world.
const bytes = (data) => {
  const copy = vm.runInContext(`new Uint8Array(${data.length})`, context);
  copy.set(data);
  return copy;
};
worker.XMLHttpRequest = class {
  open(_, url) { this.url = url; }
  send() { this.response = bytes(read(this.url)).buffer; }
};
vm.runInContext(read('engine_bundle.js').toString('utf8'), context);
// The module is ready behind the promises of its start.
setTimeout(() => {
  worker.onmessage({ data: port });
  process.stdin.on('data', (data) => port.onmessage({ data: bytes(data) }));
}, 100);
