#!/usr/bin/env node
// Runs on any Node from 20 on: where that is too old for the program, the one that came with `npm ci` takes over.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

if (major > 24 || (major === 24 && minor >= 15)) {
  process.argv[1] = main
  await import(main)
} else {
  const node = own()
  if (node === undefined) {
    console.error(
      `Mayfly needs Node 24.15 or newer; this is ${process.versions.node}, and none came with npm for this machine`,
    )
    process.exit(1)
  }
  // Large mails are given back to the system at once, rather than kept by one of many heaps.
  const env = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', ...process.env }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} can not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

function own() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}
