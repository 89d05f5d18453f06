import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { siteClient } from '#test/support/fixtures/subscriber.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { MAYFLY_APP_STORE_URL: 'https://store.example/mayfly' } })
})
afterAll(() => program.stop())

test.each(['chromium', 'firefox'])('offers the extension for %s, set to this service', async (browser) => {
  const response = await fetch(`${program.url}/apps/mayfly-${browser}.zip`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-disposition')).toContain(`mayfly-${browser}.zip`)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  expect(JSON.parse(strFromU8(files['service.json']!))).toEqual({ url: program.url })
  expect(Object.keys(files)).toContain('manifest.json')
})

test('has no package for other browsers', async () => {
  expect((await fetch(`${program.url}/apps/mayfly-netscape.zip`)).status).toBe(404)
})

test('the page about apps links to the packages and to the store', async () => {
  const response = await siteClient(program).send('GET', '/en/apps')
  const html = await response.text()
  for (const link of ['/apps/mayfly-chromium.zip', '/apps/mayfly-firefox.zip', 'https://store.example/mayfly'])
    expect(html).toContain(`href="${link}"`)
})
