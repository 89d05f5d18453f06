import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOutside, type Outside, troubles } from '#test/outside.ts'

let outside: Outside
beforeAll(async () => {
  outside = await openOutside()
  await outside.heal()
})
afterAll(() => outside.close())

test('a site that is public without its settings saying so is told of', async () => {
  const service = async (env: Record<string, string>) => outside.service(env).doctor.service()
  expect(troubles(await service({ MAYFLY_HOST: '0.0.0.0' }))).toEqual([])
  const findings = await service({ MAYFLY_HOST: '0.0.0.0', MAYFLY_PUBLIC_URL: 'http://localhost:3000' })
  expect(troubles(findings)).toEqual(['warn Site'])
  expect(findings.at(-1)?.found).toContain('MAYFLY_PUBLIC_URL is http://localhost:3000')
})
