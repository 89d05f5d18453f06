import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { createExtensionPackages } from './extension-packages.ts'

it('offers what was built, for its own service', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-packages-'))
  const built = { 'page.js': strToU8('1'), 'service.json': strToU8('{"url":"http://localhost:3000"}') }
  await writeFile(join(directory, 'mayfly-firefox.zip'), zipSync(built))
  const packages = createExtensionPackages(directory, { url: 'https://mail.example' })
  expect(packages.browsers).toEqual(['firefox'])
  expect(packages.packageFor('chromium')).toBeUndefined()
  expect(packages.packageFor('../firefox')).toBeUndefined()
  const files = unzipSync((await packages.packageFor('firefox')) ?? new Uint8Array())
  expect(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
    ['page.js', '1'],
    ['service.json', '{"url":"https://mail.example"}'],
  ])
})

it('offers nothing if nothing was built', () => {
  expect(createExtensionPackages(undefined, { url: 'https://mail.example' }).browsers).toEqual([])
  expect(createExtensionPackages('/nowhere', { url: 'https://mail.example' }).browsers).toEqual([])
})
