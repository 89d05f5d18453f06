import { useEffect, useState } from 'react'
import { canMakeKeys } from '../../private/keys.ts'

/** Whether this browser can generate keys; undefined until it is known. */
export function useCanMakeKeys(): boolean | undefined {
  const [can, setCan] = useState<boolean>()
  useEffect(() => void canMakeKeys().then(setCan), [])
  return can
}
