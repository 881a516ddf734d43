// Shows a command's progress: a spinner on a terminal, otherwise plain lines.
import process from 'node:process';

const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
/** Ms between two frames of the spinner, and between two plain lines. */
const INTERVAL = { frame: 100, line: 10_000 };
const CLEAR_LINE = '\r\u001b[K';

/** Shows a step until `end`. Other output goes through `print`. */
export function showStep(name, output = process.stderr) {
  const start = Date.now();
  const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
  const isTerminal = output.isTTY && process.env.TERM !== 'dumb';
  let frame = 0;
  const draw = () => {
    frame += 1;
    output.write(`${CLEAR_LINE}${FRAMES[frame % FRAMES.length]} ${name}… ${elapsed()}`);
  };
  const clear = isTerminal ? () => output.write(CLEAR_LINE) : () => undefined;
  if (!isTerminal) output.write(`${name}…\n`);
  const timer = isTerminal ? setInterval(draw, INTERVAL.frame) : setInterval(() => output.write(`${name}… ${elapsed()}\n`), INTERVAL.line);
  return {
    print(text) {
      clear();
      output.write(text);
    },
    end(outcome) {
      clearInterval(timer);
      clear();
      output.write(`${name}: ${outcome} after ${elapsed()}\n`);
    },
  };
}
