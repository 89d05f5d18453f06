import { useState } from 'react'
import { Button } from '../../../../src/web/components/button.tsx'
import { useText } from '../../../../src/web/i18n/text.tsx'
import { hideMarks } from '../background/marks.ts'
import { askForAllSites, returnAllSites } from '../state/page-access.ts'
import { changeState, readState, type Settings } from '../state/state.ts'
import { Check } from './check.tsx'
import css from './options.module.css'

/** Switches the marks in email fields on, which needs access to all sites, and shows the sites without them. */
export function Marks({ settings: { marks, hidden } }: { settings: Settings }) {
  const text = useText()
  const [refused, setRefused] = useState(false)

  async function toggle(on: boolean): Promise<void> {
    // Browsers ask only in the handler of the click, so nothing may be awaited before.
    const allowed = on ? await askForAllSites() : false
    setRefused(on && !allowed)
    await changeState((state) => void (state.settings.marks = allowed))
    if (on) return
    // Later, the extension can't reach the pages.
    await hideMarks()
    // Meanwhile, the visitor may have switched them on again.
    if (!(await readState()).settings.marks) await returnAllSites()
  }

  return (
    <section className={css.part}>
      <Check
        label={text('extension.marks')}
        hint={text('extension.marksHint')}
        checked={marks}
        onChange={(on) => void toggle(on)}
      />
      {refused ? <p role="alert">{text('extension.marksRefused')}</p> : null}
      {hidden.length > 0 ? (
        <>
          <h2>{text('extension.hidden')}</h2>
          <ul className={css.list}>
            {hidden.map((origin) => {
              const site = new URL(origin).host
              return (
                <li key={origin}>
                  <bdi dir="ltr">{site}</bdi>
                  <Button
                    look="quiet"
                    onClick={() =>
                      void changeState((state) => {
                        state.settings.hidden = state.settings.hidden.filter((each) => each !== origin)
                      })
                    }
                  >
                    {text('extension.showMarks', { site })}
                  </Button>
                </li>
              )
            })}
          </ul>
        </>
      ) : null}
    </section>
  )
}
