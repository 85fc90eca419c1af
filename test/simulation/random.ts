import type { Hex } from '../../core/chain/evm.ts'

/** Random numbers that a seed decides. Each source that is forked by a name has its own sequence. */
export class Random {
  private state: [number, number, number, number]

  constructor(private readonly seed: string) {
    const words = new Uint32Array(new Bun.CryptoHasher('sha256').update(seed).digest().buffer)
    this.state = [words[0] ?? 1, words[1] ?? 2, words[2] ?? 3, words[3] ?? 4]
  }

  /** A source of its own, however much was taken from this one. */
  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`)
  }

  /** 32 random bits, by sfc32. */
  bits(): number {
    const [a, b, c, counter] = this.state
    const mixed = (a + b + counter) | 0
    const rotated = (c << 21) | (c >>> 11)
    this.state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (rotated + mixed) | 0, (counter + 1) | 0]
    return mixed >>> 0
  }

  /** From 0 to below 1. */
  next(): number {
    return this.bits() / 2 ** 32
  }

  /** A whole number from `least` to `most`, both possible. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  isLikely(share: number): boolean {
    return this.next() < share
  }

  pick<T>(things: readonly T[]): T {
    const thing = things[this.between(0, things.length - 1)]
    if (thing === undefined) throw new Error('there is nothing to pick from')
    return thing
  }

  fill(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = this.bits() & 0xff
  }

  hex(length: number): Hex {
    const bytes = new Uint8Array(length)
    this.fill(bytes)
    return `0x${bytes.toHex()}`
  }

  /** A UUID of version 4, or of version 7 at a moment in ms. */
  uuid(ms: number | null = null): `${string}-${string}-${string}-${string}-${string}` {
    const bytes = new Uint8Array(16)
    this.fill(bytes)
    if (ms !== null)
      for (let i = 0; i < 6; i += 1) bytes[i] = Math.floor(ms / 256 ** (5 - i)) & 0xff
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (ms === null ? 0x40 : 0x70)
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const text = bytes.toHex()
    const [a, b, c] = [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16)]
    return `${a}-${b}-${c}-${text.slice(16, 20)}-${text.slice(20)}`
  }
}
