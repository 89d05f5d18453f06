import { useEffect, useState } from 'react'
import { useText } from '../../i18n/text.tsx'
import { canMakeKeys } from '../../private/keys.ts'
import css from './private.module.css'

/** Whether this browser can generate keys; undefined until it is known. */
export function useCanMakeKeys(): boolean | undefined {
  const [can, setCan] = useState<boolean>()
  useEffect(() => void canMakeKeys().then(setCan), [])
  return can
}

/** Says so if this browser cannot generate keys. */
export function KeysUnsupported({ can }: { can: boolean | undefined }) {
  const text = useText()
  return can === false ? (
    <p className={css.warning} role="alert">
      {text('private.unsupported')}
    </p>
  ) : null
}
