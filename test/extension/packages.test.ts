import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { PACKAGES } from './browser.ts'

/** It has no types. */
const LINTER: string = 'addons-linter'
const { default: linter } = (await import(LINTER)) as {
  default: { createInstance(options: object): { run(): Promise<unknown> } }
}

const MOST_BYTES = 300_000

interface Manifest {
  permissions: string[]
  host_permissions?: string[]
  optional_host_permissions: string[]
  incognito?: string
  web_accessible_resources?: unknown
  content_scripts?: unknown
  content_security_policy: { extension_pages: string }
}

describe.each(['chromium', 'firefox'])('the package for %s', (browser) => {
  const path = join(PACKAGES, `mayfly-${browser}.zip`)
  const files = (): Record<string, Uint8Array> => unzipSync(readFileSync(path))
  const textOf = (name: string): string => new TextDecoder().decode(files()[name])
  const json = <T>(name: string): T => JSON.parse(textOf(name)) as T

  test('is small', () => {
    expect(readFileSync(path).length).toBeLessThan(MOST_BYTES)
  })

  test('needs few permissions, and none for sites before it asks', () => {
    const manifest = json<Manifest>('manifest.json')
    expect(manifest.permissions.toSorted()).toEqual([
      'activeTab',
      'alarms',
      'contextMenus',
      'notifications',
      'scripting',
      'storage',
    ])
    expect(manifest.host_permissions ?? []).toEqual([])
    expect(manifest.optional_host_permissions).toEqual(['*://*/*'])
    expect(manifest.incognito).toBe('not_allowed')
    expect(manifest.web_accessible_resources).toBeUndefined()
    expect(manifest.content_scripts).toBeUndefined()
    expect(manifest.content_security_policy.extension_pages).toContain("frame-ancestors 'none'")
  })

  test('has the licenses of its packages, once each', () => {
    const named = [...textOf('licenses.md').matchAll(/^## (\S+) - \d/gm)].map(([, name]) => name)
    expect(named).toEqual([...new Set(named)])
    expect(named).toEqual(expect.arrayContaining(['react', 'react-dom', 'wxt']))
  })

  test('has no code from elsewhere', () => {
    for (const name of Object.keys(files()).filter((each) => /\.(?:html|js)$/.test(each))) {
      expect(textOf(name), name).not.toMatch(/<script[^>]+src="(?:https?:)?\/\/|importScripts|new Function\(|\beval\(/)
    }
  })

  test('has all texts in every language', () => {
    const english = Object.keys(json('messages/en.json'))
    expect(english).toEqual(expect.arrayContaining(['extension.fill', 'problem.too_many_requests', 'auth.fail.text']))
    expect(english.length).toBeLessThan(140)
    for (const { code } of languages) expect(Object.keys(json(`messages/${code}.json`)), code).toEqual(english)
    const locales = Object.keys(files()).filter((name) => name.startsWith('_locales/') && name.endsWith('.json'))
    expect(locales).toHaveLength(languages.length)
    for (const name of locales) {
      const { name: title, description } = json<Record<string, { message: string }>>(name)
      expect(title!.message.length, name).toBeLessThanOrEqual(45)
      expect(description!.message.length, name).toBeLessThanOrEqual(132)
    }
  })
})

test('the linter of Firefox add-ons reports nothing', async () => {
  const instance = linter.createInstance({
    config: {
      _: [join(PACKAGES, 'mayfly-firefox.zip')],
      logLevel: 'fatal',
      stack: false,
      pretty: false,
      warningsAsErrors: false,
      metadata: false,
      output: 'none',
      boring: true,
      selfHosted: false,
      maxManifestVersion: 3,
      minManifestVersion: 2,
    },
    runAsBinary: false,
  })
  const { errors, warnings } = (await instance.run()) as Record<
    'errors' | 'warnings',
    { code: string; file: string; message: string }[]
  >
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] })
})
