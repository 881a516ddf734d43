/** Where a browser was, by the beginning of its address on the network: all that is kept of it. */
export function placeOf(network: string): string {
  if (network === '127.0.0' || network === '0:0:0:0') return 'on the computer that runs Afterword';
  return network.includes(':') ? `IP address ${network}:…` : `IP address ${network}.…`;
}
