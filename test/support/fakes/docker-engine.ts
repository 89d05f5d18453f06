import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { runMayfly } from '#test/support/program/command.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

/** What a client sends to create a container (Docker Engine API, ContainerCreate). */
interface ContainerConfig {
  Image: string
  Env: string[]
  ExposedPorts: Record<string, object>
  HostConfig: { PortBindings: Record<string, { HostPort: string }[]> }
}

const envOf = ({ Env }: ContainerConfig): Record<string, string> =>
  Object.fromEntries(Env.map((each) => each.split(/=(.*)/s).slice(0, 2) as [string, string]))

/** A part of the output of a command: type, length, content (Docker Engine API, ContainerAttach). */
function frame(type: 1 | 2, content: string): Buffer {
  const head = Buffer.from([type, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(Buffer.byteLength(content), 4)
  return Buffer.concat([head, Buffer.from(content)])
}

/**
 * A Docker Engine with one image, of Mayfly. A container is the program of this checkout with the environment of the
 * container, and free ports on this machine in place of its own.
 */
export async function startDockerEngine(image: string) {
  const created: ContainerConfig[] = []
  const running = new Map<string, Program>()
  const commands: { container: string; argv: string[]; status: number | null }[] = []

  /** Runs a command of the program in a container. Returns its output. */
  async function run(command: (typeof commands)[number]): Promise<Buffer> {
    const env = {
      ...envOf(created[Number(command.container)]!),
      MAYFLY_DATA_DIR: running.get(command.container)!.dataDir,
    }
    const { status, stdout, stderr } = await runMayfly(command.argv.slice(2), env)
    command.status = status
    return Buffer.concat([frame(1, stdout), frame(2, stderr)])
  }

  async function respond(request: IncomingMessage): Promise<[number, (object | Buffer)?]> {
    const { method = '', url = '/' } = request
    const { pathname: path, searchParams: search } = new URL(url, 'http://engine')
    const [kind = '', id = '', action = ''] = path.slice(1).split('/').map(decodeURIComponent)
    if (kind === 'info') return [200, { ServerVersion: '29.0.0', OperatingSystem: 'Fake', OSType: 'linux', NCPU: 2 }]
    // It can't pull other images.
    if (kind === 'images' && id === 'create')
      return [404, { message: `pull access denied for ${search.get('fromImage')}` }]
    if (kind === 'images') return id === image ? [200, { Id: image }] : [404, { message: `No such image: ${id}` }]
    if (kind === 'exec') {
      const command = commands[Number(id)]!
      return [200, action === 'start' ? await run(command) : { Running: false, ExitCode: command.status }]
    }
    if (kind !== 'containers') return [404, { message: `${method} ${path}` }]
    if (id === 'json') return [200, []]
    if (id === 'create') {
      const config = (await json(request)) as ContainerConfig
      created.push(config)
      return [201, { Id: String(created.length - 1), Warnings: [] }]
    }
    const config = created[Number(id)]
    if (!config) return [404, { message: `No such container: ${id}` }]
    if (action === 'start') {
      running.set(id, await startProgram({ env: envOf(config) }))
      return [204]
    }
    if (action === 'exec') {
      const { Cmd: argv } = (await json(request)) as { Cmd: string[] }
      return [201, { Id: String(commands.push({ container: id, argv, status: null }) - 1) }]
    }
    if (action === 'json') return [200, inspect(id, config)]
    if (action === 'stop' || method === 'DELETE') {
      await running.get(id)?.stop()
      return [running.delete(id) || method === 'DELETE' ? 204 : 304]
    }
    return [404, { message: `${method} ${path}` }]
  }

  function inspect(id: string, config: ContainerConfig) {
    const program = running.get(id)
    const hostPort = (port: string) => (port === '3000/tcp' ? program?.httpPort : program?.smtpPort)
    const ports = Object.keys(config.ExposedPorts).map((port) => [
      port,
      [{ HostIp: '0.0.0.0', HostPort: String(hostPort(port)) }],
    ])
    return {
      Id: id,
      Name: `/container-${id}`,
      Config: { Hostname: id, Labels: {} },
      State: { Status: program ? 'running' : 'exited', Running: program !== undefined, StartedAt: '', FinishedAt: '' },
      HostConfig: { PortBindings: config.HostConfig.PortBindings },
      NetworkSettings: { Ports: program ? Object.fromEntries(ports) : {}, Networks: {} },
    }
  }

  const server = createServer(async (request, response) => {
    const [status, body] = await respond(request)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body instanceof Buffer ? body : body && JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    /** The value of `DOCKER_HOST`. */
    host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    created,
    running,
    async close() {
      await Promise.all([...running.values()].map((program) => program.stop()))
      server.close()
      server.closeAllConnections()
    },
  }
}
