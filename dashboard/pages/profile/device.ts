/** Returns the label of a session's network. Only the start of its IP address is stored. */
export function networkLabel(network: string): string {
  if (network === '127.0.0' || network === '0:0:0:0') return 'on the computer running Afterword';
  return network.includes(':') ? `IP address ${network}:…` : `IP address ${network}.…`;
}
