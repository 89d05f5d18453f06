/** How long a sound that the browser keeps back is tried, in milliseconds. */
const MAY_PLAY = 500

/** How long the sound device may take to start, in milliseconds. Sleeping headphones need a second or two. */
const DEVICE_STARTS = 3000

/** Whether the browser may keep sounds back, as the visitor has not used the page. Some browsers don't tell. */
const mayKeepBack = (): boolean => (navigator.userActivation as UserActivation | undefined)?.hasBeenActive === false

/** Plays two soft notes, synthesized so that no audio file is loaded. */
export async function playChime(): Promise<void> {
  const audio = new AudioContext()
  try {
    // Until the visitor has used the page, browsers keep sounds back. They would be played at once with the first click.
    await Promise.race([
      audio.resume(),
      new Promise((resolve) => setTimeout(resolve, mayKeepBack() ? MAY_PLAY : DEVICE_STARTS)),
    ])
    if (audio.state === 'running') await alone(() => play(audio))
  } catch {
    // Without a sound.
  }
  await audio.close()
}

/** Plays in one tab only. Without a secure connection, tabs don't know of each other. */
const alone = async (work: () => Promise<void>): Promise<unknown> =>
  'locks' in navigator ? navigator.locks.request('chime', { ifAvailable: true }, (lock) => lock && work()) : work()

async function play(audio: AudioContext): Promise<void> {
  const notes = [659.25, 987.77].map((frequency, i) => {
    const begin = audio.currentTime + i * 0.12
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(0.12, begin + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.9)
    tone.connect(volume).connect(audio.destination)
    tone.start(begin)
    tone.stop(begin + 1)
    return new Promise((resolve) => tone.addEventListener('ended', resolve))
  })
  await Promise.all(notes)
}
