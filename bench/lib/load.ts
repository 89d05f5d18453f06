import { runTool } from './process.ts'

const GENERATOR = new URL('../../test/load/generate.ts', import.meta.url).pathname

/** Runs the load generator in its own process. `options` are its flags. Rejects if a message was not accepted. */
export async function runGenerator(options: Record<string, string | number>) {
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const output = await runTool([GENERATOR, ...flags])
  const result = JSON.parse(output)
  if (result.refused + result.lost + result.connectionsRefused > 0)
    throw new Error(`not all messages were accepted: ${output}`)
  return result
}
