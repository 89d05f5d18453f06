/**
 * The part of the vocabulary of schema.org (release 29) that the pages use: for each type its parent, and the properties
 * with the types of their values.
 */
const VOCABULARY: Record<string, { parent?: string; properties: Record<string, string> }> = {
  Thing: {
    properties: {
      name: 'Text',
      description: 'Text',
      url: 'URL',
      image: 'URL ImageObject',
      mainEntityOfPage: 'URL CreativeWork',
      sameAs: 'URL',
    },
  },
  Intangible: { parent: 'Thing', properties: {} },
  CreativeWork: {
    parent: 'Thing',
    properties: {
      inLanguage: 'Text Language',
      headline: 'Text',
      datePublished: 'Date DateTime',
      dateModified: 'Date DateTime',
      author: 'Organization Person',
      publisher: 'Organization Person',
      isPartOf: 'CreativeWork URL',
      mainEntity: 'Thing',
      offers: 'Offer Demand',
      text: 'Text',
    },
  },
  Organization: { parent: 'Thing', properties: { logo: 'URL ImageObject', email: 'Text' } },
  WebSite: { parent: 'CreativeWork', properties: {} },
  WebPage: { parent: 'CreativeWork', properties: { breadcrumb: 'BreadcrumbList Text' } },
  FAQPage: { parent: 'WebPage', properties: {} },
  Article: { parent: 'CreativeWork', properties: {} },
  Comment: { parent: 'CreativeWork', properties: {} },
  Question: { parent: 'Comment', properties: { acceptedAnswer: 'Answer ItemList' } },
  Answer: { parent: 'Comment', properties: {} },
  SoftwareApplication: {
    parent: 'CreativeWork',
    properties: { applicationCategory: 'Text URL', operatingSystem: 'Text' },
  },
  WebApplication: { parent: 'SoftwareApplication', properties: { browserRequirements: 'Text' } },
  Service: { parent: 'Intangible', properties: { provider: 'Organization Person', offers: 'Offer Demand' } },
  Offer: {
    parent: 'Intangible',
    properties: { price: 'Number Text', priceCurrency: 'Text', availability: 'ItemAvailability' },
  },
  ItemList: { parent: 'Intangible', properties: { itemListElement: 'ListItem Text Thing', numberOfItems: 'Integer' } },
  BreadcrumbList: { parent: 'ItemList', properties: {} },
  ListItem: { parent: 'Intangible', properties: { position: 'Integer Text', item: 'Thing' } },
}

/** What search engines demand in addition: properties that a type must have. */
const REQUIRED: Record<string, string[]> = {
  Article: ['headline', 'image', 'datePublished', 'dateModified', 'author', 'publisher'],
  BreadcrumbList: ['itemListElement'],
  FAQPage: ['mainEntity'],
  ListItem: ['position', 'name', 'item'],
  Offer: ['price', 'priceCurrency'],
  Organization: ['name', 'url', 'logo'],
  Question: ['name', 'acceptedAnswer'],
  Answer: ['text'],
  WebSite: ['name', 'url'],
}

const LITERALS: Record<string, RegExp> = {
  Text: /\S/,
  // A type in the place of a URL is a reference to a page.
  URL: /^https?:\/\/\S+$/,
  Thing: /^https?:\/\/\S+$/,
  CreativeWork: /^https?:\/\/\S+$/,
  Date: /^\d{4}-\d{2}-\d{2}$/,
  Number: /^\d+(?:\.\d+)?$/,
  Integer: /^\d+$/,
  ItemAvailability: /^https:\/\/schema\.org\/(?:InStock|OutOfStock|PreOrder)$/,
}

type Node = Record<string, unknown>

function lineOf(type: string): string[] {
  const { parent } = VOCABULARY[type] ?? {}
  return parent === undefined ? [type] : [type, ...lineOf(parent)]
}

/** Returns what is wrong with a JSON-LD document that has a graph. References to nodes (`@id`) must be in it. */
export function schemaFaults(document: { '@context'?: string; '@graph'?: Node[] }): string[] {
  const graph = document['@graph'] ?? []
  const known = new Map(graph.map((node) => [node['@id'], String(node['@type'])]))

  function check(node: Node, where: string): string[] {
    const type = String(node['@type'])
    if (!Object.hasOwn(VOCABULARY, type)) return [`${where}: there is no type ${type}`]
    const ranges = Object.assign({}, ...lineOf(type).map((each) => VOCABULARY[each]?.properties)) as Record<
      string,
      string
    >
    const missing = (REQUIRED[type] ?? []).filter((name) => !(name in node)).map((name) => `${where}: lacks ${name}`)
    const faults = Object.entries(node).flatMap(([name, value]) => {
      if (name.startsWith('@')) return []
      const range = ranges[name]
      if (range === undefined) return [`${where}: ${type} has no property ${name}`]
      return [value].flat().flatMap((each) => checkValue(each, range.split(' '), `${where}.${name}`))
    })
    return [...missing, ...faults]
  }

  function checkValue(value: unknown, range: readonly string[], where: string): string[] {
    if (typeof value !== 'object' || value === null)
      return range.some((type) => LITERALS[type]?.test(String(value)))
        ? []
        : [`${where}: ${String(value)} is no ${range.join(' or ')}`]
    const node = value as Node
    const type = '@type' in node ? String(node['@type']) : known.get(node['@id'])
    if (type === undefined) return [`${where}: refers to ${String(node['@id'])}, which is not in the graph`]
    const fits = lineOf(type).some((each) => range.includes(each))
    return [
      ...(fits ? [] : [`${where}: a ${type} is no ${range.join(' or ')}`]),
      ...('@type' in node ? check(node, where) : []),
    ]
  }

  return [
    ...(document['@context'] === 'https://schema.org' ? [] : ['the context is not https://schema.org']),
    ...(graph.length > 0 ? [] : ['the graph is empty']),
    ...graph.flatMap((node) => check(node, String(node['@type']))),
  ]
}
