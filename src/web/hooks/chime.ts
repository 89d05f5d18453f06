/** Plays two soft notes, synthesized so that no audio file is loaded. */
export function playChime(): void {
  const audio = new AudioContext()
  for (const [i, frequency] of [659.25, 987.77].entries()) {
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
    if (i === 1) tone.addEventListener('ended', () => void audio.close())
  }
}
