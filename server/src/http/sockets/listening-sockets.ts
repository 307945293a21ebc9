import { type Server, Socket } from 'node:net';

/** Descriptor of a listening socket that a process gives to another one. */
export interface InheritedDescriptor {
  fd: number;
  /** Name that its giver has chosen; empty: none. */
  name: string;
}

/** Sockets that a process listens on: those that it was started with, and those that it opened itself. */
export class ListeningSockets {
  readonly #inherited: { name: string; socket: Socket }[];
  readonly #servers: { name: string; server: Server }[] = [];

  constructor(inherited: readonly InheritedDescriptor[] = []) {
    // A socket that is not read: it tells the port, and a server can listen on it.
    this.#inherited = inherited.map(({ fd, name }) => ({
      name,
      socket: new Socket({ fd, readable: false, writable: false }),
    }));
  }

  /** Returns the inherited sockets of this name; without one, those that listen on the port. */
  find(name: string, port: number): Socket[] {
    const named = this.#inherited.filter((inherited) => inherited.name === name);
    const found =
      named.length > 0 ? named : this.#inherited.filter(({ socket }) => socket.localPort === port);
    return found.map(({ socket }) => socket);
  }

  /** Adds a server that listens. */
  add(name: string, server: Server): void {
    this.#servers.push({ name, server });
  }

  /** Descriptors for a process that is to listen on the same sockets. */
  descriptors(): InheritedDescriptor[] {
    return this.#servers.map(({ name, server }) => ({ name, fd: descriptorOf(server) }));
  }
}

/** Returns the descriptor, which Node offers for sockets of connections only. */
export function descriptorOf(server: Server): number {
  // The handle is not part of the public interface.
  const { _handle: handle } = server as unknown as { _handle?: { fd?: number } | null };
  if (handle?.fd === undefined || handle.fd < 0)
    throw new Error('The system tells no descriptor of a socket.');
  return handle.fd;
}
