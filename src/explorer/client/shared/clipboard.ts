/** Copies text to the clipboard, and shows whether that succeeded. */
export async function copyText(text: string, output: Element): Promise<void> {
  output.textContent = await write(text)
    ? "Copied"
    : "Cannot copy; select the text instead";
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // the clipboard is available only over HTTPS and on localhost
    const button = document.activeElement as HTMLElement;
    const area = document.createElement("textarea");
    area.value = text;
    button.after(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    button.focus();
    return isCopied;
  }
}
