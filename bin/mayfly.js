#!/usr/bin/env node
// Runs on Node 20 and newer. If that is too old for the program, the Node that `npm ci` installed takes over.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
// The bundle of the program, which starts faster. Without a build, the sources run.
const bundle = fileURLToPath(new URL('../dist/program/main.js', import.meta.url))
const main = existsSync(bundle) ? bundle : fileURLToPath(new URL('../src/main.ts', import.meta.url))

// glibc keeps freed memory in one heap per thread. With these variables, large messages are returned to the system
// immediately, and a small machine needs a third less memory. The context that compresses one message stays below both
// thresholds: returning it each time would cost more CPU time than sealing (decision 021). They must be set when the
// process starts.
const env = {
  MALLOC_ARENA_MAX: '4',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  ...process.env,
}

if (major > 24 || (major === 24 && minor >= 15)) {
  // Replaces the process with the same one and another environment. Windows has no glibc, and `execve` throws there. A parent
  // with an IPC channel to this process would lose it.
  const canReplace = process.execve && process.platform !== 'win32' && !process.connected
  if (process.argv[2] === 'start' && process.env.MALLOC_ARENA_MAX === undefined && canReplace) {
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], env)
  }
  process.argv[1] = main
  await import(main)
} else {
  const node = own()
  if (node === undefined) {
    console.error(
      `Mayfly needs Node 24.15 or newer; this is ${process.versions.node}, and npm has no Node package for this machine`,
    )
    process.exit(1)
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} cannot be started: ${error.message}`)
    process.exit(1)
  })
  // A shell reports a program that a signal ended in the same way.
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))
}

function own() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}
