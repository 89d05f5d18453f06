import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Factory = ReturnType<typeof SerializerSelector>

const factory = SerializerSelector()

/**
 * Fastify's serializers, each created when the first response needs it. Creating all of them takes a third of the CPU
 * time of a start.
 */
export const lazySerializers: Factory = (externalSchemas, options) => {
  const compile = factory(externalSchemas, options)
  return (route) => {
    let serializer: ReturnType<typeof compile> | undefined
    return (value: unknown) => (serializer ??= compile(route))(value)
  }
}
