import { useEffect, useState } from 'react'
import { readState, type State, watchState } from '../state/state.ts'
import { loadTexts, type Texts } from '../state/texts.ts'

interface Loaded {
  state: State
  texts: Texts
}

/** The state and the texts of the extension. Undefined until they are loaded. */
export function useExtension(): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    const load = async (): Promise<void> => {
      const state = await readState()
      setLoaded({ state, texts: await loadTexts(state.settings) })
    }
    void load()
    return watchState(() => void load())
  }, [])
  return loaded
}
