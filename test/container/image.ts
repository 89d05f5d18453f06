import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { linkPackages, minifyFaster } from '#test/support/fixtures/checkout.ts'
import { createIgnored, parseCopy, parseDockerfile, parseEnv, type Stage } from './dockerfile.ts'

const run = promisify(execFile)

export const ROOT = join(import.meta.dirname, '../..')

/** The file tree of an image, and how it is run. */
export interface Image {
  /** The directory of its `/`. */
  files: string
  env: Record<string, string>
  workdir: string
  command: string[]
  healthcheck: string[]
  remove(): Promise<void>
}

interface Built extends Omit<Image, 'remove'> {
  name: string | undefined
}

/**
 * Builds the file tree of the last stage of the Dockerfile without a container engine: COPY is filtered by
 * `.dockerignore`, and npm runs. Base images are assumed to provide only Node and npm. Absolute paths are mapped below
 * the tree. File owners do not change.
 */
export async function buildImage(): Promise<Image> {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-image-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const context = join(directory, 'context')
    await copyContext(context)
    const built: Built[] = []
    for (const [i, stage] of parseDockerfile(await readFile(join(ROOT, 'Dockerfile'), 'utf8')).entries())
      built.push(await buildStage(stage, join(directory, `stage-${i}`), context, built))
    return { ...built.at(-1)!, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The build context: the files of the checkout that `.dockerignore` includes. */
export async function contextFiles(folder = ''): Promise<string[]> {
  const rules = await readFile(join(ROOT, '.dockerignore'), 'utf8')
  const ignored = createIgnored(rules)
  const found: string[] = []
  for (const entry of await readdir(join(ROOT, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name)
    if (!entry.isDirectory()) found.push(...(ignored(path) ? [] : [path]))
    // Below an excluded folder only files that are included by name matter.
    else if (!ignored(path) || rules.includes(`!${path}/`)) found.push(...(await contextFiles(path)))
  }
  return found
}

async function copyContext(target: string): Promise<void> {
  await Promise.all((await contextFiles()).map((path) => cp(join(ROOT, path), join(target, path))))
}

async function buildStage(stage: Stage, files: string, context: string, earlier: readonly Built[]): Promise<Built> {
  const built: Built = { name: stage.name, files, env: {}, workdir: '/', command: [], healthcheck: [] }
  const at = (path: string): string => join(files, posix.resolve(built.workdir, path))
  await mkdir(files, { recursive: true })
  for (const { name, rest } of stage.steps) {
    switch (name) {
      case 'WORKDIR':
        built.workdir = posix.resolve(built.workdir, rest)
        await mkdir(at('.'), { recursive: true })
        break
      case 'ENV':
        Object.assign(built.env, parseEnv(rest))
        break
      case 'COPY':
        await copy(rest, at, context, earlier)
        break
      case 'RUN':
        for (const command of rest.split('&&')) await runIn(command.trim(), built, at('.'))
        break
      case 'CMD':
        built.command = JSON.parse(rest) as string[]
        break
      case 'HEALTHCHECK':
        built.healthcheck = JSON.parse(/CMD (\[.*\])$/.exec(rest)?.[1] ?? '[]') as string[]
        break
      case 'USER':
      case 'VOLUME':
      case 'EXPOSE':
        break
      default:
        throw new Error(`This test does not know the step ${name}`)
    }
  }
  return built
}

/** Copies the content of a folder into the target, and a file into it or under its name. */
async function copy(
  rest: string,
  at: (path: string) => string,
  context: string,
  earlier: readonly Built[],
): Promise<void> {
  const { from, sources, target } = parseCopy(rest)
  const source = from === undefined ? context : earlier.find(({ name }) => name === from)?.files
  if (source === undefined) throw new Error(`COPY ${rest}: there is no such stage`)
  const intoFolder = sources.length > 1 || target.endsWith('/') || target === '.'
  for (const each of sources) {
    const path = join(source, each)
    const found = await stat(path).catch(() => undefined)
    if (!found) throw new Error(`COPY ${rest}: ${each} is not in ${from ?? 'the build context'}`)
    const to = found.isDirectory() || !intoFolder ? at(target) : join(at(target), basename(each))
    await cp(path, to, { recursive: true, verbatimSymlinks: true })
  }
}

async function runIn(command: string, { files, env }: Built, cwd: string): Promise<void> {
  const [program = '', ...args] = command.split(/\s+/)
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|MAYFLY_|NODE_ENV$|VITEST|INIT_CWD$)/.test(name)),
  )
  const options = { cwd, env: { ...inherited, ...env }, maxBuffer: 16 * 1024 * 1024 }
  if (program === 'chown') return
  if (program === 'mkdir') return void (await mkdir(join(files, args.at(-1)!), { recursive: true }))
  const step = [program, ...args].join(' ')
  if (step === 'npm ci') return takeInstalled(cwd)
  if (step !== 'npm run build') throw new Error(`This test does not know how to run ${command}`)
  await minifyFaster(cwd)
  await run('npm', args, options)
}

/** Links the packages of this checkout, which have half a gigabyte, and their programs. */
async function takeInstalled(cwd: string): Promise<void> {
  const [from, to] = [join(ROOT, 'node_modules'), join(cwd, 'node_modules')]
  await linkPackages(from, to)
  await symlink(join(from, '.bin'), join(to, '.bin'))
}
