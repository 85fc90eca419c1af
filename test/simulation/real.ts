import net from 'node:net'

/** Clock, timers, randomness and network of this machine, as they are before a run replaces them. */
export const real = {
  Date,
  fetch,
  setTimeout,
  setInterval,
  clearTimeout,
  now: performance.now.bind(performance),
  sleep: Bun.sleep,
  random: Math.random,
  uuid: crypto.randomUUID.bind(crypto),
  uuidv7: Bun.randomUUIDv7,
  fill: crypto.getRandomValues.bind(crypto),
  timeout: AbortSignal.timeout.bind(AbortSignal),
  Socket: net.Socket,
}

/** Lets real time pass. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => real.setTimeout(resolve, ms))
}
