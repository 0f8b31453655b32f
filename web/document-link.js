// The page's end of the wire to the Bokeh document in the worker (its other end is ferrolab/site/bridge.py).
//
// Outgoing changes are coalesced: while the worker is busy only the newest value of each property is kept,
// so a dragged slider never builds a queue, and the last value always goes out.

function encode(patch) {
  return JSON.stringify(patch, (key, value) => (typeof value?.to_base64 === "function" ? value.to_base64() : value));
}

// Views and all that stand in them.
function* all(views) {
  for (const view of views) {
    yield view;
    yield* all(view.child_views ?? []);
  }
}

export class DocumentLink {
  // onChange() is called when there is something to take.
  constructor(onChange) {
    this.onChange = onChange;
    this.waiting = new Map();
    this.sent = []; // changes of the patch that is not answered yet
    this.widgets = {}; // control id -> {model, property, values}: where Session says a control is set
    this.document = null;
    this.views = null;
    this.others = 0;
  }

  // Shows the document inside `element`; message is what DocumentBridge.embed returned.
  async embed(message, element) {
    if (message.version !== Bokeh.version) {
      throw new Error(`the page has Bokeh ${Bokeh.version}, the bench ${message.version}; build the site again`);
    }
    this.views = await Bokeh.embed.embed_item(message, element);
    this.document = this.views.roots[0].model.document;
    this.document.on_change((event) => this.changed(event), true);
  }

  changed(event) {
    if (!event.sync) return; // it came from the worker
    for (const one of event.events ?? [event]) {
      if (!one.sync) continue;
      const key = one.kind === "ModelChanged" ? `${one.model.id} ${one.attr}` : `other ${(this.others += 1)}`;
      this.waiting.delete(key); // the newest value goes to the end of the line
      this.waiting.set(key, one);
    }
    if (this.waiting.size) this.onChange();
  }

  get pending() {
    return this.waiting.size > 0;
  }

  // The waiting changes as the text of one patch.
  take() {
    // What the learner did goes first: that the page has painted may be out of date by then.
    const reports = ({ attr }) => (attr === "painted" ? 1 : 0);
    this.sent = [...this.waiting.values()].sort((a, b) => reports(a) - reports(b));
    this.waiting.clear();
    return encode(this.document.create_json_patch(this.sent));
  }

  answered() {
    this.sent = [];
  }

  // The controls that were moved and not answered yet, by id: what a new worker has to be told. Without `sent`, only those
  // the worker has not heard of.
  moves({ sent = true } = {}) {
    for (const view of all(this.views?.roots ?? [])) view.flush?.(); // a slider keeps its newest place while it waits
    const changes = [...(sent ? this.sent : []), ...this.waiting.values()].filter(({ kind }) => kind === "ModelChanged");
    const moved = {};
    for (const [id, { model, property, values }] of Object.entries(this.widgets)) {
      const change = changes.findLast((one) => one.model.id === model && one.attr === property);
      if (change) moved[id] = values ? values.find(([key]) => key === change.value)?.[1] : change.value;
    }
    return moved;
  }

  // Applies a patch of the worker; buffers: [[id, Uint8Array], ...].
  apply(text, buffers) {
    this.document.apply_json_patch(JSON.parse(text), new Map(buffers.map(([id, bytes]) => [id, bytes.buffer])));
  }

  close() {
    this.waiting.clear();
    this.sent = [];
    for (const view of this.views?.roots ?? []) view.remove();
    this.views = this.document = null;
  }
}
