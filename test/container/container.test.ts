import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { BARE_ENV, type Program, startProgram } from '#test/support/program/program.ts'
import { createIgnored, parseCopy, parseDockerfile } from './dockerfile.ts'
import { buildImage, contextFiles, type Image, ROOT } from './image.ts'

describe('.dockerignore', () => {
  const copies = parseDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).flatMap(({ steps }) =>
    steps.filter(({ name }) => name === 'COPY').map(({ rest }) => parseCopy(rest)),
  )
  const sources = [...new Set(copies.filter(({ from }) => from === undefined).flatMap((copy) => copy.sources))]

  test.each(sources)('includes what the Dockerfile copies: %s', async (source) => {
    const files = await contextFiles()
    expect(source === '.' || files.some((path) => path === source || path.startsWith(`${source}/`))).toBe(true)
  })

  test('excludes what is not part of the image', async () => {
    const files = await contextFiles()
    expect(
      files.filter((path) => /^(?:test|bench|docs|\.git|node_modules|data)\/|\.test\.tsx?$|\.env/.test(path)),
    ).toEqual([])
  })

  test.each<[string, string, boolean]>([
    ['*\n!src', 'src/a/b.ts', false],
    ['*\n!src', 'bin/a.js', true],
    ['*\n!src\n**/*.test.ts', 'src/a/b.test.ts', true],
    ['*\n!src\n**/*.test.ts', 'src/b.test.ts', true],
    ['*\n!src\n**/*.test.ts\n!src/b.test.ts', 'src/b.test.ts', false],
    ['# a comment\n/src/', 'src/a.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/?.[jt]s', 'src/a.ts', true],
    ['a.b', 'axb', false],
  ])('%j on %s: %s', (rules, path, ignored) => expect(createIgnored(rules)(path)).toBe(ignored))
})

test.each(['mayfly', 'x-node'])('compose.yaml passes all settings in .env on to the containers of %s', (name) => {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  expect(compose).toMatch(/^x-env-file: &env-file\n {2}- path: \.env\n {4}required: false$/m)
  const [, service = ''] = new RegExp(`^ *${name}:.*\\n((?: {2,}.*\\n)+)`, 'm').exec(compose) ?? []
  expect(service).toMatch(/^ +env_file: \*env-file$/m)
})

describe('the image', { timeout: 300_000 }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-container-'))
  let image: Image
  let program: Program
  beforeAll(async () => {
    image = await buildImage()
    program = await startProgram({
      root: join(image.files, image.workdir),
      dataDir,
      env: { ...image.env, MAYFLY_DATA_DIR: dataDir, MAYFLY_HOST: '127.0.0.1', MAYFLY_TRUSTED_PROXIES: '' },
    })
  }, 400_000)
  afterAll(async () => {
    await program?.stop()
    await image?.remove()
    rmSync(dataDir, { recursive: true })
  })

  test('runs the command line of its CMD', () => {
    const [node, ...args] = image.command
    expect([node, args.at(-1)]).toEqual(['node', 'start'])
    const { status, stdout } = spawnSync(process.execPath, [...args.slice(0, -1), '--version'], {
      cwd: join(image.files, image.workdir),
      env: BARE_ENV,
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  })

  test('receives a message', async () => {
    const owner = await createAddress(program.url)
    await sendMail(program.smtpPort, verificationMail(owner.address))
    expect((await owner.json('/api/v1/messages?wait=30')).messages).toMatchObject([{ code: '482913' }])
  })

  test.each(['/', '/en', '/en/articles', '/en/api', '/de/terms', '/licenses.md', '/api/v1/openapi.json'])(
    'responds to %s',
    async (path) => expect((await fetch(program.url + path)).status).toBe(200),
  )

  test('serves the files that its pages load', async () => {
    const page = await (await fetch(`${program.url}/en`)).text()
    const assets = [...page.matchAll(/(?:src|href)="(\/(?:assets|messages)\/[^"]+)"/g)].map(([, path]) => path!)
    expect(assets.length).toBeGreaterThan(0)
    for (const path of assets) expect([path, (await fetch(program.url + path)).status]).toEqual([path, 200])
  })

  test('passes its own health check', () => {
    const [node, ...args] = image.healthcheck
    expect(node).toBe('node')
    expect(args.join(' ')).toContain('|| 3000')
    const env = { ...BARE_ENV, MAYFLY_HTTP_PORT: String(program.httpPort) }
    expect(spawnSync(process.execPath, args, { env }).status).toBe(0)
  })

  test('needs no node_modules, and has the licenses of the packages in its bundles', () => {
    const app = join(image.files, image.workdir)
    expect(readdirSync(app).toSorted()).toEqual(['bin', 'content', 'dist', 'locales', 'openapi.json', 'package.json'])
    const licenses = ['program', 'server', 'client'].map((part) =>
      readFileSync(join(app, 'dist', part, 'licenses.md'), 'utf8'),
    )
    expect(licenses).toEqual([
      expect.stringContaining('## fastify - '),
      expect.stringContaining('## react-dom - '),
      expect.stringContaining('## react-dom - '),
    ])
  })
})
