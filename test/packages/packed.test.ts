import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { cypressSuite } from './cypress.suite.ts'
import { playwrightSuite } from './playwright.suite.ts'
import { createProject, type Project, ROOT } from './project.ts'
import { testcontainersSuite } from './testcontainers.suite.ts'

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

let project: Project
let program: Program
beforeAll(async () => {
  ;[project, program] = await Promise.all([createProject(), startProgram({ env: WITHOUT_LIMITS })])
})
afterAll(() => Promise.all([program?.stop(), project?.remove()]))

describe.each([
  ['client', 'Inbox,MayflyError,WaitTimeoutError,checkNames,createInbox,deleteInboxes,openInbox'],
  ['playwright', 'MayflyError,WaitTimeoutError,expect,test'],
  ['cypress', 'registerMayfly'],
  ['testcontainers', 'MayflyContainer,MayflyError,StartedMayflyContainer,WaitTimeoutError'],
])('@mayfly/%s', (name, exported) => {
  const packed = () => project.packed.find((each) => each.name === `@mayfly/${name}`)!
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

  test('has the version of Mayfly, and needs the same version of the client', () =>
    expect([manifest.version, manifest.dependencies?.['@mayfly/client'] ?? version]).toEqual([version, version]))

  test('contains its README, license, code and types alone', () => {
    const kinds = packed().files.map(({ path }) => path.replace(/^dist\/[\w-]+\.(d\.ts|js)$/, '*.$1'))
    expect(new Set(kinds)).toEqual(new Set(['LICENSE', 'README.md', 'package.json', '*.js', '*.d.ts']))
    expect(kinds.filter((kind) => kind === '*.js')).toHaveLength(kinds.filter((kind) => kind === '*.d.ts').length)
  })

  test.runIf(name === 'client')('compiles in a project for browsers without the types of Node', async () => {
    const file = join(project.directory, 'use.ts')
    await writeFile(file, `import { createInbox } from '@mayfly/client'\nawait createInbox()\n`)
    const options = '--strict --noEmit --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom'
    const args = [TSC, ...options.split(' '), '--types', '', file]
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: project.directory, encoding: 'utf8' })
    expect([stdout, status]).toEqual(['', 0])
  })

  test('works without the repository', () => {
    const use = `import * as all from '@mayfly/${name}'; console.log(Object.keys(all).join())`
    const args = ['--input-type=module', '-e', use]
    expect(execFileSync(process.execPath, args, { cwd: project.directory, encoding: 'utf8' }).trim()).toBe(exported)
  })
})

const context = () => ({ project, program })
describe('@mayfly/playwright', () => void playwrightSuite(context))
describe('@mayfly/cypress', () => void cypressSuite(context))
describe('@mayfly/testcontainers', () => void testcontainersSuite(context))
