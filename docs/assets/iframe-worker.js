// Browsers start no worker for a page that is opened from a disk. There, a hidden frame does its work.
if (location.protocol === "file:") {
  // As between threads: a copy, and not before the sender is done.
  const send = (data, receive) => {
    const event = new MessageEvent("message", { data: structuredClone(data) });
    setTimeout(() => receive(event));
  };
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      const load = (address) => new Promise((resolve, reject) => {
        const script = inside.document.createElement("script");
        Object.assign(script, { src: address, onload: resolve, onerror: reject });
        inside.document.body.append(script);
      });
      inside.postMessage = (data) => send(data, (event) => {
        this.dispatchEvent(event);
        this.onmessage?.(event);
      });
      inside.importScripts = (...urls) => Promise.all(urls.map(load));
      this.ready = load(url);
    }

    postMessage(data) {
      this.ready.then(() => send(data, (event) => this.frame.contentWindow.dispatchEvent(event)));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
