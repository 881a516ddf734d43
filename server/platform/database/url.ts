/** Host and port of a server, as the driver names them. */
export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

/** A URL that names several servers of one database. */
interface SeveralServers {
  /** In the URL's order; at least two. */
  readonly servers: readonly DatabaseServer[];
  /** The same URL with the first server only, as the driver needs it. */
  readonly url: string;
}

/** An invalid URL of several servers; the message says what is required. */
export class DatabaseUrlError extends Error {}

const PORT = 5432;
/** Accepted `target_session_attrs`. `any` means the primary too, because the product writes. */
const TARGETS = ['read-write', 'primary', 'any'];
const SHAPE = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/**
 * Parses a libpq URL such as `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`, or one with the
 * lists in `?host=a,b&port=5432,5433`. Returns undefined for a single server, which the driver parses itself.
 */
export function readServers(url: string): SeveralServers | undefined {
  const [, scheme = '', login = '', authority = '', path = '', query = ''] = SHAPE.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const servers = parameters.has('host') ? queryServers(parameters) : authority.split(',').map(serverOf);
  const [first] = servers;
  if (!first || servers.length === 1) return undefined;
  const target = parameters.get('target_session_attrs') ?? 'any';
  if (!TARGETS.includes(target)) throw new DatabaseUrlError('target_session_attrs=read-write, because the product writes');
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  return { servers, url: `${scheme}${login}${authorityOf(first)}${path}${rest}` };
}

/** Reads the host and port lists; a single port applies to every host. */
function queryServers(parameters: URLSearchParams): DatabaseServer[] {
  const hosts = (parameters.get('host') ?? '').split(',');
  const ports = (parameters.get('port') ?? '').split(',');
  if (ports.length !== 1 && ports.length !== hosts.length) throw new DatabaseUrlError('a port for each host, or one for all');
  return hosts.map((host, index) => ({ host: host || 'localhost', port: portOf(ports[index] ?? ports[0] ?? '') }));
}

/** Parses `host:port`. */
export function serverOf(text: string): DatabaseServer {
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  const host = bracketed ?? decodeURIComponent(plain);
  return { host: host || 'localhost', port: portOf(port) };
}

function portOf(text: string): number {
  const port = text === '' ? PORT : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new DatabaseUrlError('ports from 1 to 65535');
  return port;
}

const authorityOf = ({ host, port }: DatabaseServer): string => `${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`;
