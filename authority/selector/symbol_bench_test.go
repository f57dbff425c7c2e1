package selector

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// goSource returns about a megabyte of Go source.
func goSource() []byte {
	var out bytes.Buffer
	out.WriteString("package a\n")
	for i := 0; out.Len() < 1<<20; i++ {
		fmt.Fprintf(&out, "\n// T%d is a type.\ntype T%d struct {\n\tname string // what it is called\n}\n\n// Name returns the name.\nfunc (t *T%d) Name(prefix string) (string, error) {\n\tif t.name == \"\" {\n\t\treturn \"\", errors.New(\"no name\")\n\t}\n\treturn prefix + t.name, nil\n}\n", i, i, i)
	}
	return out.Bytes()
}

func BenchmarkSymbolsGo(b *testing.B) {
	source := goSource()
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := NewDocument("a.go", source).definitionsOf(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOnePointer starts the companion for a single symbol.
func BenchmarkOnePointer(b *testing.B) {
	path, err := companionOf()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := NewSession(SessionOptions{Companion: path})
		ctx := WithSession(b.Context(), s)
		if _, err := Symbols(ctx, NewDocument("a.py", []byte("def f(): pass\n"))); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// samples are some lines of ordinary source of each of the companion's languages;
// %d tells the repetitions apart.
var samples = map[string]string{
	"a.py":    "class Order%d(Base):\n    \"\"\"An order.\"\"\"\n\n    def __init__(self, items, customer=None):\n        self.items = list(items)\n        self.customer = customer\n\n    def total(self, rate: float = 0.2) -> float:\n        # taxes are added last\n        amount = sum(item.price * item.count for item in self.items)\n        if amount > 100 and self.customer:\n            amount -= self.customer.rebate(amount)\n        return round(amount * (1 + rate), 2)\n\n",
	"a.js":    "export class Order%d extends Base {\n  #items = [];\n  constructor(items, customer) {\n    super();\n    this.#items = [...items];\n    this.customer = customer ?? null;\n  }\n  // taxes are added last\n  total(rate = 0.2) {\n    const amount = this.#items.reduce((sum, item) => sum + item.price * item.count, 0);\n    return amount > 100 && this.customer ? amount * (1 + rate) - this.customer.rebate : `${amount}`;\n  }\n}\n\n",
	"a.ts":    "export class Order%d<T extends Item> implements Base {\n  private items: T[] = [];\n  constructor(items: T[], readonly customer?: Customer) {\n    this.items = [...items];\n  }\n  // taxes are added last\n  total(rate: number = 0.2): number {\n    const amount = this.items.reduce((sum, item) => sum + item.price * item.count, 0);\n    return amount > 100 && this.customer ? amount * (1 + rate) : amount;\n  }\n}\n\n",
	"a.tsx":   "export function Order%d({ items, customer }: Props): JSX.Element {\n  const [open, setOpen] = useState<boolean>(false);\n  // the list is shown when it is opened\n  return (\n    <section className=\"order\" onClick={() => setOpen(!open)}>\n      <h2>{customer.name}</h2>\n      {open && items.map((item) => <Item key={item.id} {...item} />)}\n    </section>\n  );\n}\n\n",
	"a.rs":    "#[derive(Debug, Clone)]\npub struct Order%d {\n    items: Vec<Item>,\n    customer: Option<Customer>,\n}\n\nimpl Order%[1]d {\n    /// Taxes are added last.\n    pub fn total(&self, rate: f64) -> Result<f64, Error> {\n        let amount: f64 = self.items.iter().map(|i| i.price * i.count as f64).sum();\n        match &self.customer {\n            Some(c) if amount > 100.0 => Ok(amount - c.rebate(amount)?),\n            _ => Ok(amount * (1.0 + rate)),\n        }\n    }\n}\n\n",
	"a.java":  "final class Order%d extends Base<Item> {\n  private final List<Item> items = new ArrayList<>();\n\n  Order%[1]d(List<Item> items) {\n    this.items.addAll(items);\n  }\n\n  /** Taxes are added last. */\n  @Override\n  public double total(double rate) throws OrderException {\n    double amount = items.stream().mapToDouble(i -> i.price() * i.count()).sum();\n    if (amount > 100 && customer != null) {\n      amount -= customer.rebate(amount);\n    }\n    return amount * (1 + rate);\n  }\n}\n\n",
	"a.c":     "struct order%d {\n\tstruct item *items;\n\tsize_t count;\n};\n\n/* Taxes are added last. */\nstatic double total%[1]d(const struct order%[1]d *order, double rate)\n{\n\tdouble amount = 0;\n\n\tfor (size_t i = 0; i < order->count; i++)\n\t\tamount += order->items[i].price * order->items[i].count;\n\tif (amount > 100 && order->count)\n\t\tamount -= rebate(amount);\n\treturn amount * (1 + rate);\n}\n\n",
	"a.cpp":   "template <typename T>\nclass Order%d : public Base {\n public:\n  explicit Order%[1]d(std::vector<T> items) : items_(std::move(items)) {}\n\n  // Taxes are added last.\n  double total(double rate = 0.2) const override {\n    double amount = 0;\n    for (const auto& item : items_) amount += item.price * item.count;\n    return amount > 100 ? amount - rebate(amount) : amount * (1 + rate);\n  }\n\n private:\n  std::vector<T> items_;\n};\n\n",
	"a.cs":    "public sealed class Order%d : Base, IOrder\n{\n    private readonly List<Item> items = new();\n    public Customer? Customer { get; init; }\n\n    /// <summary>Taxes are added last.</summary>\n    public async Task<decimal> Total(decimal rate = 0.2m)\n    {\n        var amount = items.Sum(i => i.Price * i.Count);\n        if (amount > 100 && Customer is not null)\n        {\n            amount -= await Customer.Rebate(amount);\n        }\n        return amount * (1 + rate);\n    }\n}\n\n",
	"a.rb":    "class Order%d < Base\n  attr_reader :items, :customer\n\n  def initialize(items, customer: nil)\n    @items = items.dup\n    @customer = customer\n  end\n\n  # Taxes are added last.\n  def total(rate = 0.2)\n    amount = items.sum { |item| item.price * item.count }\n    amount -= customer.rebate(amount) if amount > 100 && customer\n    (amount * (1 + rate)).round(2)\n  end\nend\n\n",
	"a.php":   "final class Order%d extends Base implements Countable\n{\n    private array $items = [];\n\n    public function __construct(array $items, private ?Customer $customer = null)\n    {\n        $this->items = $items;\n    }\n\n    /** Taxes are added last. */\n    public function total(float $rate = 0.2): float\n    {\n        $amount = array_sum(array_map(fn ($i) => $i->price * $i->count, $this->items));\n        return $amount > 100 ? $amount - $this->customer->rebate($amount) : $amount * (1 + $rate);\n    }\n}\n\n",
	"a.sh":    "# Taxes are added last.\ntotal%d() {\n  local amount=0 item rate=${1:-20}\n  while read -r price count; do\n    amount=$((amount + price * count))\n  done <\"$items\"\n  if [ \"$amount\" -gt 100 ] && [ -n \"${customer:-}\" ]; then\n    amount=$((amount - $(rebate \"$amount\")))\n  fi\n  printf '%%s\\n' \"$((amount * (100 + rate) / 100))\"\n}\n\n",
	"a.kt":    "data class Order%d(val items: List<Item>, val customer: Customer? = null) : Base() {\n    /** Taxes are added last. */\n    override fun total(rate: Double): Double {\n        var amount = items.sumOf { it.price * it.count }\n        if (amount > 100 && customer != null) {\n            amount -= customer.rebate(amount)\n        }\n        return amount * (1 + rate)\n    }\n\n    companion object {\n        const val LIMIT = 100\n    }\n}\n\n",
	"a.scala": "final case class Order%d(items: List[Item], customer: Option[Customer] = None) extends Base {\n  /** Taxes are added last. */\n  def total(rate: Double = 0.2): Double = {\n    val amount = items.map(i => i.price * i.count).sum\n    customer match {\n      case Some(c) if amount > 100 => amount - c.rebate(amount)\n      case _ => amount * (1 + rate)\n    }\n  }\n}\n\n",
}

// BenchmarkSymbols outlines files of each language through one session, as a batch
// does: as many at a time as there are processors.
func BenchmarkSymbols(b *testing.B) {
	const files, size = 32, 64 << 10
	path, err := companionOf()
	if err != nil {
		b.Fatal(err)
	}
	for name, sample := range samples {
		b.Run(name[len("a."):], func(b *testing.B) {
			var source bytes.Buffer
			if name == "a.php" {
				source.WriteString("<?php\n")
			}
			for i := 0; source.Len() < size; i++ {
				fmt.Fprintf(&source, sample, i)
			}
			s := NewSession(SessionOptions{Companion: path})
			defer s.Close()
			ctx := WithSession(b.Context(), s)
			b.SetBytes(int64(files * source.Len()))
			for b.Loop() {
				outlineAll(ctx, b, name, source.Bytes(), files)
			}
		})
	}
}

func outlineAll(ctx context.Context, b *testing.B, name string, source []byte, files int) {
	var wait sync.WaitGroup
	next := make(chan struct{}, files)
	for range files {
		next <- struct{}{}
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for range next {
				list, err := Symbols(ctx, NewDocument(name, source))
				if err != nil || len(list) < 10 {
					b.Errorf("%s: %d symbols, %v", name, len(list), err)
				}
			}
		})
	}
	wait.Wait()
}
