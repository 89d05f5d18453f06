import { readFileSync } from 'node:fs'

const file = new URL('../../deploy/tests.env', import.meta.url)

/** The variables of `deploy/tests.env`. */
export const forTests = Object.fromEntries(
  [...readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
)
