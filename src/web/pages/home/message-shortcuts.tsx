import { pathIn } from '#locales/languages.ts'
import { usePage } from '../../app/page.tsx'
import { useLanguage } from '../../i18n/text.tsx'
import { inboxPath } from '../../navigation/paths.ts'
import { useShortcuts } from './shortcuts.ts'

interface Props {
  id: string
  /** Ids of the messages of the list, newest first. */
  ids: readonly string[]
  onRemove: (id: string) => Promise<boolean>
}

/** Shortcuts of an open message: the next and the previous one, back to the list, copy the code, delete. */
export function MessageShortcuts({ id, ids, onRemove }: Props) {
  const { go, payload } = usePage()
  const { code } = useLanguage()
  const back = pathIn(code, inboxPath(payload))
  const open = (step: number): void => {
    const at = ids.indexOf(id)
    const other = ids[at + step]
    // The list may not be loaded this far yet.
    if (at !== -1 && other !== undefined) go(pathIn(code, inboxPath(payload, other)), { replace: true })
  }
  useShortcuts({
    j: () => open(1),
    k: () => open(-1),
    u: () => go(back),
    c: () => document.querySelector<HTMLElement>('#main [data-offer] button')?.click(),
    '#': () => void onRemove(id).then((gone) => gone && go(back, { replace: true })),
  })
  return null
}
