// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FiatTokenAuthorizations} from "./FiatTokenAuthorizations.sol";

/// @title TestUSDC
/// @notice A stand-in for Circle's FiatToken v2.2 on local chains: same interface, same order of
///         checks, same reasons, same events, and balance and blacklisting in one storage slot.
/// @dev    Local chains place its code at the real token's address, so it has no constructor and no
///         immutable; `initialize` gives it its names, once.
contract TestUSDC is FiatTokenAuthorizations {
    function initialize(
        string calldata tokenName,
        string calldata tokenSymbol,
        string calldata tokenVersion,
        address newOwner
    ) external {
        require(!initialized, "FiatToken: contract is already initialized");
        require(newOwner != address(0), "FiatToken: new owner is the zero address");
        initialized = true;
        name = tokenName;
        symbol = tokenSymbol;
        version = tokenVersion;
        owner = newOwner;
        pauser = newOwner;
        blacklister = newOwner;
        // Circle's token refuses to hold itself.
        _setBlacklisted(address(this), true);
        emit OwnershipTransferred(address(0), newOwner);
    }

    /// @notice The owner and the minters it names create money without limit; Circle's minters
    ///         have an allowance, which the tests have no use for.
    function mint(address to, uint256 amount) external whenNotPaused returns (bool) {
        require(msg.sender == owner || isMinter[msg.sender], "FiatToken: caller is not a minter");
        _requireNotBlacklisted(msg.sender);
        _requireNotBlacklisted(to);
        require(to != address(0), "FiatToken: mint to the zero address");
        require(amount > 0, "FiatToken: mint amount not greater than 0");
        totalSupply += amount;
        _setBalance(to, _balanceOf(to) + amount);
        emit Mint(msg.sender, to, amount);
        emit Transfer(address(0), to, amount);
        return true;
    }

    function setMinter(address minter, bool allowed) external onlyOwner {
        isMinter[minter] = allowed;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "Ownable: new owner is the zero address");
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function updatePauser(address newPauser) external onlyOwner {
        require(newPauser != address(0), "Pausable: new pauser is the zero address");
        pauser = newPauser;
    }

    function updateBlacklister(address newBlacklister) external onlyOwner {
        require(
            newBlacklister != address(0), "Blacklistable: new blacklister is the zero address"
        );
        blacklister = newBlacklister;
    }

    function pause() external {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        paused = true;
        emit Pause();
    }

    function unpause() external {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        paused = false;
        emit Unpause();
    }

    function blacklist(address account) external {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
        _setBlacklisted(account, true);
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
        _setBlacklisted(account, false);
        emit UnBlacklisted(account);
    }
}
