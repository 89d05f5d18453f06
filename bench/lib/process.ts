import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** USER_HZ of Linux (proc(5)), the unit of CPU times in /proc. */
const TICKS_PER_SECOND = 100

interface Stat {
  pid: number
  parent: number
  ticks: number
}

function statOf(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (index: number): number => Number(fields[index - 3])
    // proc(5): 4 ppid, 14 utime, 15 stime, 16 cutime, 17 cstime
    return { pid: Number(pid), parent: number(4), ticks: number(14) + number(15) + number(16) + number(17) }
  } catch {
    return undefined
  }
}

/** Returns the CPU seconds (user and system) of a process, its threads and its descendants so far. */
export function cpuSeconds(root: number): number {
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(name) ?? []) : []))
  const tree = new Set([root])
  for (let size = 0; size !== tree.size;) {
    size = tree.size
    for (const { pid, parent } of stats) if (tree.has(parent)) tree.add(pid)
  }
  return stats.reduce((sum, { pid, ticks }) => sum + (tree.has(pid) ? ticks : 0), 0) / TICKS_PER_SECOND
}

/**
 * Waits until a process tree uses less than this share of one core for a second. Rejects after `limit` seconds.
 */
export async function idle(root: number, { share = 0.03, limit = 180 } = {}): Promise<void> {
  let before = cpuSeconds(root)
  for (let i = 0; i < limit; i++) {
    await delay(1000)
    const now = cpuSeconds(root)
    if (now - before < share) return
    before = now
  }
  throw new Error(`process ${root} did not become idle within ${limit} s`)
}

/** Starts a server and resolves when its port accepts connections. Rejects with its output if it exits before. */
export async function startServer(
  args: string[],
  { port, cwd, env = {} }: { port: number; cwd: string; env?: Record<string, string> },
): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)))
  }
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} exited with ${child.exitCode}:\n${output}`)
    await delay(50)
  }
  return child
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exit
  clearTimeout(killer)
}

/** Runs a Node program to its end and returns its output. Rejects if it fails. */
export async function runTool(args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}:\n${errors}`)
  return output
}
