import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFakeStripe } from '#test/support/fakes/stripe.ts'
import { signedIn, siteClient } from '#test/support/fixtures/subscriber.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const EMAIL = 'ann@real.example'

async function stateOf(program: Program): Promise<string> {
  const client = await signedIn(program, EMAIL)
  return (await client.json('/api/v1/account')).state as string
}

test('sandbox grants end when a real provider is set', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-sandbox-'))
  const stripe = await startFakeStripe()
  let program = await startProgram({ env: WITHOUT_LIMITS, dataDir })
  try {
    const client = siteClient(program)
    const form = { plan: 'year', email: EMAIL, lang: 'en' }
    const { id } = (await (await client.send('POST', '/api/v1/orders', form)).json()) as { id: string }
    await client.send('POST', `/api/v1/sandbox/${id}`, { outcome: 'paid' })
    expect(await stateOf(program)).toBe('ending')
    await program.stop()

    program = await startProgram({ env: WITHOUT_LIMITS, dataDir })
    expect(await stateOf(program)).toBe('ending')
    await program.stop()

    program = await startProgram({ env: { ...WITHOUT_LIMITS, ...stripe.env }, dataDir })
    expect(await stateOf(program)).toBe('ended')
    expect((await siteClient(program).json(`/api/v1/orders/${id}`)).state).toBe('refunded')
  } finally {
    await program.stop()
    await stripe.close()
    await rm(dataDir, { recursive: true })
  }
})
