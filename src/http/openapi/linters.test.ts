import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type Ruleset } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import document from '../../../openapi.json' with { type: 'json' }

const source = JSON.stringify(document)

test('Redocly reports nothing', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('Spectral reports nothing', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] } as unknown as Ruleset)
  const problems = await linter.run(source)
  expect(problems.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([])
})

test('swagger-parser reports nothing', async () => {
  await SwaggerParser.validate(structuredClone(document) as never)
})
