import { createAddress } from '../test/api.ts'
import { startProgram, WITHOUT_LIMITS } from '../test/program.ts'
import { runGenerator } from './lib/load.ts'
import { cpuSeconds, idle } from './lib/process.ts'
const roots = { before: '/tmp/w-sealing-base', after: '/tmp/w/sealing' }
const out: Record<string, number[][]> = { before: [], after: [] }
for (let i = 0; i < 3; i++)
  for (const [name, root] of Object.entries(roots)) {
    const p = await startProgram({ root, env: { ...WITHOUT_LIMITS, MAYFLY_ADDRESS_STORAGE_BYTES: '4GB' } })
    const rcpt = (await Promise.all(Array.from({ length: 20 }, () => createAddress(p.url))))
      .map((a) => a.address)
      .join(',')
    const run = (seconds: number) =>
      runGenerator({ port: p.smtpPort, rcpt, connections: 100, size: 8192, seconds, messages: 1e9 })
    await run(3)
    await idle(p.child.pid!)
    const s = cpuSeconds(p.child.pid!)
    const r = await run(6)
    await idle(p.child.pid!)
    out[name]!.push([Math.round(r.perSecond), +((1000 * (cpuSeconds(p.child.pid!) - s)) / r.acknowledged).toFixed(2)])
    console.log(name, out[name]!.at(-1))
    await p.stop()
  }
