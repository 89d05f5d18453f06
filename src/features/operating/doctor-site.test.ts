import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOutside, type Outside, troubles } from '#test/support/dns/outside.ts'

let outside: Outside
beforeAll(async () => {
  outside = await openOutside()
  await outside.heal()
})
afterAll(() => outside.close())

test('warns of a public site without a public URL', async () => {
  const service = async (env: Record<string, string>) => outside.service(env).doctor.service()
  expect(troubles(await service({ MAYFLY_HOST: '0.0.0.0' }))).toEqual([])
  const findings = await service({ MAYFLY_HOST: '0.0.0.0', MAYFLY_PUBLIC_URL: 'http://localhost:3000' })
  expect(troubles(findings)).toEqual(['warn Site'])
  expect(findings.at(-1)?.found).toContain('MAYFLY_PUBLIC_URL is http://localhost:3000')
})

test('warns of the sandbox on a public site', async () => {
  const env = { MAYFLY_PAYMENT_SANDBOX: 'on-public-site', MAYFLY_PUBLIC_URL: 'https://mayfly.example' }
  const findings = await outside.service(env).doctor.service()
  expect(troubles(findings)).toEqual(['warn Payments'])
  expect(findings.find(({ check }) => check === 'Payments')?.found).toContain('gets Premium without paying')
})

test('warns of the settings of a service for tests on a public site', async () => {
  const findings = await outside.service({ MAYFLY_SMTP_AUTH: 'on' }).doctor.service()
  expect(troubles(findings)).toEqual(['warn Receiver'])
  expect(findings.find(({ check }) => check === 'Receiver')?.found).toContain('MAYFLY_SMTP_AUTH is "on"')
})

test('warns of a public site that does not say who runs it', async () => {
  const service = async (env: Record<string, string>) => outside.service(env).doctor.service()
  expect(troubles(await service({}))).toEqual([])
  const findings = await service({ MAYFLY_OPERATOR_NAME: '', MAYFLY_OPERATOR_EMAIL: '' })
  expect(troubles(findings)).toEqual(['warn Operator'])
  expect(findings.at(-1)?.found).toContain('MAYFLY_OPERATOR_NAME, MAYFLY_OPERATOR_EMAIL not set')
})

test('warns of a key file that other users can read', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'mayfly-doctor-')), 'service.key')
  writeFileSync(file, 'ab'.repeat(32))
  const service = async () => outside.service({ MAYFLY_SECRET_KEY_FILE: file }).doctor.service()
  chmodSync(file, 0o600)
  expect(troubles(await service())).toEqual([])
  chmodSync(file, 0o644)
  const findings = await service()
  expect(troubles(findings)).toEqual(['warn Service key'])
  expect(findings.find(({ check }) => check === 'Service key')?.found).toContain(`${file} has mode 0644`)
  rmSync(dirname(file), { recursive: true })
})
