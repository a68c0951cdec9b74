# Homebrew formula; deploy/release/describe replaces the placeholders in braces.
class Agentctl < Formula
  desc "Compile Grafana Agent Operator resources into manifests, offline"
  homepage "{repository}"
  version "{version}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{repository}/releases/download/v{version}/agentctl-{version}-aarch64-apple-darwin.tar.gz"
      sha256 "{sha256 aarch64-apple-darwin}"
    end
    on_intel do
      url "{repository}/releases/download/v{version}/agentctl-{version}-x86_64-apple-darwin.tar.gz"
      sha256 "{sha256 x86_64-apple-darwin}"
    end
  end

  on_linux do
    on_arm do
      url "{repository}/releases/download/v{version}/agentctl-{version}-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "{sha256 aarch64-unknown-linux-gnu}"
    end
    on_intel do
      url "{repository}/releases/download/v{version}/agentctl-{version}-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "{sha256 x86_64-unknown-linux-gnu}"
    end
  end

  def install
    bin.install "agentctl"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/agentctl.bash" => "agentctl"
    zsh_completion.install "completions/_agentctl"
    fish_completion.install "completions/agentctl.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/agentctl version")
  end
end
