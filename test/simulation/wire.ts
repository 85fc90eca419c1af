import type { Socket } from 'bun'

/** A connection of this machine to the real server. Bun's own socket costs half of what one of node:net does. */
export class Wire {
  private socket: Socket | null = null
  private unsent: Buffer = Buffer.alloc(0)

  /** Called with what is heard, and with null once it is closed. */
  onChange: (bytes: Buffer | null) => void = () => {}

  get isOpen(): boolean {
    return this.socket !== null
  }

  /** Without a server it stays closed. */
  async open(hostname: string, port: number): Promise<void> {
    const over = () => {
      this.socket = null
      this.onChange(null)
    }
    const handlers = {
      data: (_: Socket, bytes: Buffer) => this.onChange(bytes),
      drain: () => this.write(this.unsent),
      close: over,
      error: over,
    }
    const opening = Bun.connect({ hostname, port, socket: { binaryType: 'buffer', ...handlers } })
    this.socket = await opening.catch(() => null)
  }

  /** Writes what the server has room for; the rest follows when it has more. */
  write(bytes: Buffer): void {
    const written = this.socket?.write(bytes) ?? bytes.length
    this.unsent = bytes.subarray(Math.max(0, written))
  }

  close(): void {
    const { socket } = this
    this.socket = null
    socket?.terminate()
  }
}
