/** The most similar candidate, or undefined if none is similar. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  if (!best) return undefined
  // A third of the letters may differ; a matching prefix of any length counts.
  const isNear = best.distance <= Math.max(1, Math.floor(best.candidate.length / 3))
  if (isNear) return best.candidate
  return candidates.find((candidate) => word.length > 1 && candidate.startsWith(word))
}

/** Edits between two words: insert, delete, replace, or swap two neighbours (Damerau-Levenshtein). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const at = (cells: readonly number[], k: number) => cells[k] ?? Number.POSITIVE_INFINITY
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) best = Math.min(best, at(beforeLast, j - 2) + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
