import { spawn } from 'node:child_process'

/*
 * Runs `dev.ts`, and restarts it when a file of the server changes. npm doesn't pass SIGTERM on, and a shell in between
 * ends without its children, so this process ends with its parent.
 */
const child = spawn(process.execPath, ['--watch', 'src/dev.ts', ...process.argv.slice(2)], { stdio: 'inherit' })
child.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))

const LOOK_EVERY = 500
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) child.kill()
}, LOOK_EVERY)
