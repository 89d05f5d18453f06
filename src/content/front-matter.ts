/** Parses the fields before a Markdown text, one `key: value` per line. A value may be in double quotes. */
export function parseFrontMatter(source: string): { fields: Record<string, string>; body: string } {
  const match = /^---\n(?<head>.*?)\n---\n(?<body>.*)$/s.exec(source)
  if (!match?.groups) throw new Error('A text must begin with front matter between two lines of ---')
  const lines = (match.groups.head ?? '').split('\n').map((line) => /^(?<key>\w+): (?<value>.+)$/.exec(line)?.groups)
  const fields = Object.fromEntries(
    lines.map((line) => [line?.key ?? '', (line?.value ?? '').replace(/^"(.*)"$/, '$1').trim()]),
  )
  return { fields, body: match.groups.body ?? '' }
}
