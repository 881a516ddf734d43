/** A server as the driver names it. */
export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

/** An address that names several servers of one database. */
interface SeveralServers {
  /** In the order in which they were written; two at least. */
  readonly servers: readonly DatabaseServer[];
  /** The same address with the first server alone: what the driver understands. */
  readonly url: string;
}

/** An address of several servers that cannot be followed; the message says why. */
export class DatabaseUrlError extends Error {}

const PORT = 5432;
/** Which server is looked for: the product writes, so `any` could not mean another. */
const WANTED = ['read-write', 'primary', 'any'];
const SHAPE = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/**
 * Takes apart what libpq reads: `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`, or the
 * lists in `?host=a,b&port=5432,5433`. Undefined where it names one server, which the driver reads by itself.
 */
export function readServers(url: string): SeveralServers | undefined {
  const [, scheme = '', login = '', authority = '', path = '', query = ''] = SHAPE.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const servers = parameters.has('host') ? listed(parameters) : authority.split(',').map(serverOf);
  const [first] = servers;
  if (!first || servers.length === 1) return undefined;
  const wanted = parameters.get('target_session_attrs') ?? 'any';
  if (!WANTED.includes(wanted)) throw new DatabaseUrlError('target_session_attrs=read-write, because the product writes');
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  return { servers, url: `${scheme}${login}${written(first)}${path}${rest}` };
}

/** One port serves all hosts; otherwise each host has its own. */
function listed(parameters: URLSearchParams): DatabaseServer[] {
  const hosts = (parameters.get('host') ?? '').split(',');
  const ports = (parameters.get('port') ?? '').split(',');
  if (ports.length !== 1 && ports.length !== hosts.length) throw new DatabaseUrlError('a port for each host, or one for all');
  return hosts.map((host, place) => ({ host: host || 'localhost', port: portOf(ports[place] ?? ports[0] ?? '') }));
}

function serverOf(text: string): DatabaseServer {
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  const host = bracketed ?? decodeURIComponent(plain);
  return { host: host || 'localhost', port: portOf(port) };
}

function portOf(text: string): number {
  const port = text === '' ? PORT : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new DatabaseUrlError('ports from 1 to 65535');
  return port;
}

const written = ({ host, port }: DatabaseServer): string => `${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`;
