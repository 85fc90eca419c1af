import { useState } from 'preact/hooks'
import { usePage } from '../parts/page.ts'
import { problemText } from '../parts/States.tsx'

/** Something that a button does: not twice at a time, and what went wrong is said. */
export function useAction<About extends readonly unknown[]>(
  work: (...about: About) => Promise<unknown>,
) {
  const { words } = usePage()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function run(...about: About): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await work(...about)
    } catch (error) {
      setProblem(problemText(words, error))
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, problem, run }
}
