import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Factory = ReturnType<typeof SerializerSelector>

const factory = SerializerSelector()

/** Fastify's serializers, each made when the first answer needs it: to make them all is a third of what a start computes. */
export const lazySerializers: Factory = (externalSchemas, options) => {
  const compile = factory(externalSchemas, options)
  return (route) => {
    let serializer: ReturnType<typeof compile> | undefined
    return (value: unknown) => (serializer ??= compile(route))(value)
  }
}
